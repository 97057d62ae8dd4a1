"""Files that are replaced as a whole: whatever happens meanwhile, one of the two is there."""

import pytest

from ludograph.documents import replacing, write_bytes


def test_what_a_killed_process_has_left_is_overwritten(tmp_path):
    file = tmp_path / "state.json"
    for text in ("first", "second"):
        (tmp_path / ".state.json.part").write_text("half a")
        with replacing(file) as part:
            part.write_text(text)
        assert [path.name for path in tmp_path.iterdir()] == ["state.json"]
        assert file.read_text() == text


def test_an_error_leaves_the_file_as_it_was(tmp_path):
    file = tmp_path / "notes.txt"
    write_bytes(file, b"old")

    def fail():
        with replacing(file, concurrent=True) as part:
            part.write_text("new")
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        fail()
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert file.read_bytes() == b"old"
