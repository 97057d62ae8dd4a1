"""Roles: what the people of a ladder, and visitors of a server, may do."""

from __future__ import annotations

from enum import IntEnum


class Role(IntEnum):
    """What a person may do on the pages of a server; each role includes the roles before it."""

    NOTHING = 0
    LOOK = 1
    PLAY = 2
    UPLOAD = 3
    OPERATE = 4


ROLES = {role.name.lower(): role for role in Role if role}
