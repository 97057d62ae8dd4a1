"""Inputs one by one: what is raised that is no refusal, what hangs, what kills the process."""

from __future__ import annotations

import faulthandler
import json
import mmap
import os
import random
import signal
import struct
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from click import ClickException

from ludograph.cli.texts import error_line
from tests.fuzz.doors import REFUSALS, Door, doors

HANG = 10.0
"""Seconds after which an input has hung."""

PLACE = struct.Struct("<q")


class Hang(BaseException):
    """An input takes too long."""


@dataclass
class Findings:
    """What was found, each kind once: by its last line, the number of the input, door and input."""

    seed: int = 0
    only: str = ""
    found: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    refused: int = 0

    def add(self, what: str, number: int, door: str, shown: str) -> None:
        """Keep one, unless there is one of its kind: what stands before a parenthesis."""
        if not any(known.partition(" (")[0] == what.partition(" (")[0] for known in self.found):
            self.found[what] = (number, door, shown)


def spoiled(all_doors: list[Door], number: int, seed: int) -> tuple[Door, object]:
    """Return an input by its number."""
    door = all_doors[number % len(all_doors)]
    return door, door.spoiled(random.Random(f"{seed}:{number}:{door.name}"))


def run(
    all_doors: list[Door], numbers: Iterable[int], findings: Findings, note: mmap.mmap | None = None
) -> None:
    """Enter by inputs; in ``note`` stands which one it is."""
    signal.signal(signal.SIGALRM, _hangs)
    for number in numbers:
        door, given = spoiled(all_doors, number, findings.seed)
        if note is not None:
            PLACE.pack_into(note, 0, number)
        signal.setitimer(signal.ITIMER_REAL, HANG)
        try:
            door.enter(given)
        except REFUSALS as error:
            findings.refused += 1
            told = error_line(error) if isinstance(error, ClickException) else str(error)
            if not told or "\n" in told:
                findings.add(
                    f"{type(error).__name__} in lines", number, door.name, repr(given)[:400]
                )
        except Hang as error:
            findings.add(_place(error), number, door.name, repr(given)[:400])
        except Exception as error:  # noqa: BLE001  (it is what is looked for)
            findings.add(_place(error), number, door.name, repr(given)[:400])
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def run_apart(
    findings: Findings,
    numbers: range,
    folder: Path,
    seconds: float,
    make: Callable[[Path], list[Door]] = doors,
) -> int:
    """Enter by inputs in a child process; return the number of the first that was not tried."""
    note = mmap.mmap(-1, PLACE.size)
    PLACE.pack_into(note, 0, numbers.start)
    told = folder / "told.json"
    told.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        code = 3
        try:
            faulthandler.enable()
            all_doors = [door for door in make(folder) if findings.only in door.name]
            end = time.monotonic() + seconds
            own = Findings(findings.seed)
            last = numbers.start
            for number in numbers:
                if time.monotonic() > end:
                    break
                faulthandler.dump_traceback_later(3 * HANG, exit=True)
                run(all_doors, [number], own, note)
                last = number + 1
                if last % 1000 == 0 or own.found:
                    told.write_text(json.dumps([last, own.found, own.refused]))
            told.write_text(json.dumps([last, own.found, own.refused]))
            code = 0
        except BaseException:  # noqa: BLE001  (told by the exit code)
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    last = PLACE.unpack_from(note, 0)[0]
    if told.exists():
        _, found, refused = json.loads(told.read_text())
        findings.refused += refused
        for what, (number, door, shown) in found.items():
            findings.add(what, number, door, shown)
    if status == 0:
        return json.loads(told.read_text())[0] if told.exists() else numbers.stop
    ended = os.waitstatus_to_exitcode(status)
    all_doors = [door for door in make(folder) if findings.only in door.name]
    door, given = spoiled(all_doors, last, findings.seed)
    findings.add(f"its process ended with {ended}", last, door.name, repr(given)[:400])
    return last + 1


def _hangs(number: int, frame: object) -> None:
    raise Hang


def _place(error: BaseException) -> str:
    """Return what was raised and where, so that one kind is told once."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "ludograph" in frame.filename] or frames
    last = own[-1]
    place = f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}"
    return f"{place} ({' '.join(str(error)[:200].split())})"
