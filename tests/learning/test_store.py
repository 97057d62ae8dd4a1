"""The folder of a run: whole files, and no other run's."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ludograph.errors import InvalidInput
from ludograph.learning.store import CHECKPOINT, CURVE, RUN, RunFolder
from tests.learning.test_samples import samples

SETTINGS = {"game": "hex", "boards": ["hexagonal:3"], "seed": 1}


def test_rounds_and_checkpoints_come_back(tmp_path) -> None:
    folder = RunFolder(tmp_path / "run", SETTINGS)
    own = samples(3, [1, 2], [1, 1, 1])
    folder.write_round(4, [own, own])
    folder.write_checkpoint({"a": np.arange(3)}, {"rounds": 5})
    again = RunFolder(tmp_path / "run", SETTINGS)
    found = again.read_round(4)
    assert len(found) == 2
    for name in own._fields:
        np.testing.assert_array_equal(getattr(found[1], name), getattr(own, name))
    arrays, about = again.read_checkpoint()
    assert arrays["a"].tolist() == [0, 1, 2]
    assert about == {"rounds": 5}
    assert again.read_round(5) is None
    again.drop_rounds(5)
    assert again.read_round(4) is None


def test_other_settings_are_refused_in_one_sentence(tmp_path) -> None:
    RunFolder(tmp_path / "run", SETTINGS)
    with pytest.raises(InvalidInput, match="other settings: seed 1 there, and 2 here"):
        RunFolder(tmp_path / "run", {**SETTINGS, "seed": 2})


def test_a_folder_with_other_files_is_refused(tmp_path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InvalidInput, match=re.escape(f"{tmp_path}: ")):
        RunFolder(tmp_path, SETTINGS)
    (tmp_path / RUN).write_text("{")
    with pytest.raises(InvalidInput, match=RUN):
        RunFolder(tmp_path, SETTINGS)


@pytest.mark.parametrize("content", [b"", b"PK\3\4 cut off", b"no archive"])
def test_damaged_files_are_refused(tmp_path, content) -> None:
    folder = RunFolder(tmp_path / "run", SETTINGS)
    (folder.path / CHECKPOINT).write_bytes(content)
    with pytest.raises(InvalidInput, match=re.escape(CHECKPOINT)):
        folder.read_checkpoint()


def test_pickled_objects_are_refused(tmp_path) -> None:
    folder = RunFolder(tmp_path / "run", SETTINGS)
    np.savez(folder.path / CHECKPOINT, about=np.array([{"a": 1}], dtype=object))
    with pytest.raises(InvalidInput, match=re.escape(CHECKPOINT)):
        folder.read_checkpoint()


def test_no_room_for_the_curve_is_one_sentence(tmp_path) -> None:
    folder = RunFolder(tmp_path / "run", SETTINGS)
    (folder.path / CURVE).symlink_to("/dev/full")
    with pytest.raises(InvalidInput, match=f"{CURVE}: {os.strerror(errno.ENOSPC)}"):
        folder.add_to_curve([{"seconds": 1.0}])


def test_a_folder_is_for_one_process(tmp_path) -> None:
    path = RunFolder(tmp_path / "run", SETTINGS).path
    RunFolder(path, SETTINGS)  # of the same process
    hold = (
        "import fcntl, sys; file = open(sys.argv[1], 'r+b'); "
        "fcntl.lockf(file, fcntl.LOCK_EX); print(flush=True); sys.stdin.read()"
    )
    other = tmp_path / "other"
    other.mkdir()
    (other / RUN).write_bytes((path / RUN).read_bytes())
    with subprocess.Popen(
        [sys.executable, "-c", hold, other / RUN], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        with pytest.raises(InvalidInput, match=re.escape(f"{other}: another command")):
            RunFolder(other, SETTINGS)
        process.stdin.close()
    RunFolder(other, SETTINGS)


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path, monkeypatch) -> None:
    def refuse(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    folder = RunFolder(tmp_path / "run", SETTINGS)
    monkeypatch.setattr(Path, "write_bytes", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(InvalidInput, match=r"curve\.svg: Read-only file system$"):
        folder.write_text("curve.svg", "")


def test_a_line_of_the_curve_that_was_cut_off_is_left_out(tmp_path) -> None:
    folder = RunFolder(tmp_path / "run", SETTINGS)
    folder.add_to_curve([{"seconds": 1.0}, {"seconds": 2.0}])
    with (folder.path / CURVE).open("a") as file:
        file.write(json.dumps({"seconds": 3.0})[:-3])
    assert [point["seconds"] for point in folder.curve()] == [1.0, 2.0]
