"""What happens to stores outside of Ludograph: other statements, other files."""

from sqlalchemy import create_engine, text

LETTER = "a letter to my mother, long enough to be something" * 30
"""The contents of a file that is no store."""


def execute(where, *statements):
    """Run statements on a database; return what the last one found.

    ``where`` is the path of an SQLite file, or a URL.
    """
    url = str(where) if "://" in str(where) else f"sqlite:///{where}"
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        found = [connection.execute(text(statement)) for statement in statements][-1]
        rows = found.fetchall() if found.returns_rows else []
    engine.dispose()
    return rows
