"""A program that makes a file from what a stranger wrote, in a sandbox like a player's."""

import pytest

from ludograph.hosting import sandboxed_command
from ludograph.hosting.sandbox.sandbox import why_not
from ludograph.hosting.sandboxed_command import Built, SandboxedCommand
from ludograph.players.isolation import Isolation, Level

MIB = 1 << 20


@pytest.fixture(params=list(Level))
def isolation(request):
    reason = why_not(request.param)
    if reason:
        pytest.skip(f"unavoidable: no {request.param} isolation here: {reason}")
    return Isolation(request.param, 64 * MIB)


def make(folder, script, isolation, seconds=30.0):
    return SandboxedCommand(["sh", "-c", script], str(folder), seconds).run(isolation)


@pytest.mark.slow
def test_what_it_makes_and_says_comes_out(tmp_path, isolation):
    (tmp_path / "source").write_text("from a stranger")
    made = make(tmp_path, "cat source > '{}'; echo a warning >&2", isolation)
    assert made == Built(b"from a stranger", "a warning\n")


@pytest.mark.slow
def test_a_file_of_a_program_that_failed_is_none(tmp_path, isolation):
    assert make(tmp_path, "echo half > '{}'; exit 3", isolation) == Built(None, "exit code 3")
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
    made = SandboxedCommand(["python3", "-c", script], str(tmp_path), 60.0).run(isolation)
    assert made.file is None
    assert "memory" in made.said


@pytest.mark.slow
def test_files_and_words_are_bounded(tmp_path, isolation, monkeypatch):
    monkeypatch.setattr(sandboxed_command, "MADE_BYTES", MIB)
    monkeypatch.setattr(sandboxed_command, "SAID_BYTES", 1000)
    made = make(tmp_path, "head -c 2000000 /dev/zero > {}; head -c 5000 /dev/zero", isolation)
    assert made.file is None
    assert len(made.said) < 1100
