"""A program that makes a file from what a stranger wrote, in a sandbox like a player's."""

import pytest

from ludograph.hosting import sandboxed_command
from ludograph.hosting.build_host import MADE_BYTES, SAID_BYTES
from ludograph.hosting.sandbox.sandbox import why_not
from ludograph.hosting.sandboxed_command import Build, SandboxedCommand
from ludograph.players.isolation import Isolation, Level

MIB = 1 << 20


@pytest.fixture(params=list(Level))
def isolation(request):
    reason = why_not(request.param)
    if reason:
        pytest.skip(f"unavoidable: no {request.param} isolation here: {reason}")
    return Isolation(request.param, 64 * MIB)


def make(folder, script, isolation, seconds=30.0):
    command = SandboxedCommand(["sh", "-c", script], str(folder), seconds)
    return Build(command, isolation).awaited()


@pytest.mark.slow
def test_what_it_makes_and_says_comes_out(tmp_path, isolation):
    (tmp_path / "source").write_text("from a stranger")
    made = make(tmp_path, "cat source > '{}'; echo a warning >&2", isolation)
    assert (made.file, made.said) == (b"from a stranger", "a warning\n")


@pytest.mark.slow
def test_a_file_of_a_program_that_failed_is_none(tmp_path, isolation):
    failed = make(tmp_path, "echo half > '{}'; exit 3", isolation)
    assert (failed.file, failed.said) == (None, "exit code 3")
    assert make(tmp_path, "true", isolation).file is None


@pytest.mark.parametrize("isolation", [Level.STRICT, Level.BASIC], indirect=True)
def test_it_sees_its_folder_and_writes_nowhere(tmp_path, isolation):
    secret = tmp_path / "secret"
    secret.write_text("no business of yours")
    folder = tmp_path / "own"
    folder.mkdir()
    said = make(folder, f"cat {secret}; echo x > new; cat /etc/passwd; ls > {{}}", isolation).said
    assert "business" not in said
    assert "root:" not in said
    assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_it_is_ended_with_all_that_it_has_started(tmp_path, isolation):
    made = make(tmp_path, "sleep 1000 & sleep 1000", isolation, 0.2)
    assert made.file is None
    assert "0.2 s" in made.said


@pytest.mark.slow
def test_too_much_memory_is_told(tmp_path, isolation, monkeypatch):
    monkeypatch.setattr(sandboxed_command, "LEAST_MEMORY", 0)
    script = "import time; x = bytearray(200 << 20); time.sleep(60)"
    command = SandboxedCommand(["python3", "-c", script], str(tmp_path), 60.0)
    made = Build(command, isolation).awaited()
    assert made.file is None
    assert "memory" in made.said


@pytest.mark.slow
def test_files_and_words_are_bounded(tmp_path, isolation):
    script = f"head -c {MADE_BYTES + 1} /dev/zero > {{}}; head -c {2 * SAID_BYTES} /dev/zero"
    made = make(tmp_path, script, isolation)
    assert made.file is None
    assert "MiB" in made.said
    assert len(made.said) < SAID_BYTES + 100


@pytest.mark.slow
def test_a_file_of_the_greatest_size_comes_whole(tmp_path, isolation):
    made = make(tmp_path, f"head -c {MADE_BYTES} /dev/zero > {{}}", isolation)
    assert made.file == bytes(MADE_BYTES)


def test_a_build_is_looked_at_without_waiting_for_it(tmp_path):
    command = SandboxedCommand(["sh", "-c", "sleep 0.5; echo x > '{}'"], str(tmp_path))
    build = Build(command, Isolation(Level.NONE))
    looks = 0
    while not build.is_done():
        looks += 1
        assert build.elapsed < 60.0
    assert looks > 1
    assert build.result().file == b"x\n"
