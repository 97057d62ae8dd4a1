"""For the reference's build: names in docstrings' roles, as in :func:`make`, become code."""

import re

from griffe import Extension, Object

ROLE = re.compile(r":(?:func|meth|class|mod|attr|data|exc):`~?([^`]+)`")


class Roles(Extension):
    """Write what a role names as code, which is what Markdown knows."""

    def on_object(self, *, obj: Object, **_: object) -> None:
        """Change the docstring of an object that has been read."""
        if obj.docstring is not None:
            obj.docstring.value = ROLE.sub(r"`\1`", obj.docstring.value)
