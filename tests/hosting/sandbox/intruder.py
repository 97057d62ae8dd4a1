"""Tries what an isolated player must not be able to do, prints what came of it, and plays on."""

import ctypes
import os
import socket

ORDERS = {
    name: os.environ[f"LUDOGRAPH_PLAYER_{name}"] for name in ("OUTSIDE", "CACHE", "VICTIM", "PORT")
}


def read():
    open(ORDERS["OUTSIDE"]).close()


def look():
    os.listdir(os.path.dirname(ORDERS["OUTSIDE"]))


def write_own():
    open(os.path.join(os.path.dirname(__file__), "written.py"), "w").close()


def write_cache():
    open(os.path.join(ORDERS["CACHE"], "written.py"), "w").close()


def connect():
    socket.create_connection(("127.0.0.1", int(ORDERS["PORT"])), 1.0).close()


def signal():
    os.kill(int(ORDERS["VICTIM"]), 10)


def trace():
    os.listdir(f"/proc/{ORDERS['VICTIM']}/fd")


def environment():
    os.environ["LUDOGRAPH_TEST_SECRET"]


def namespace():
    if ctypes.CDLL(None).unshare(0x10000000):
        raise OSError


ATTACKS = (read, look, write_own, write_cache, connect, signal, trace, environment, namespace)


def choose(position):
    if position.ply < 2:
        for attack in ATTACKS:
            try:
                attack()
            except (OSError, KeyError):
                print(attack.__name__, "held")
            else:
                print(attack.__name__, "broken")
    return position.legal_moves()[0]
