from tests.arena.ladder.test_people import folder, listed  # noqa: F401
