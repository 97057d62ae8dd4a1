"""The file of a network: written and read again; and files that hold something else."""

from __future__ import annotations

import errno
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from ludograph.errors import InvalidInput
from ludograph.search.network import (
    NetworkShape,
    TrainedNetwork,
    random_layers,
    read_network,
    write_network,
)
from ludograph.search.network.file import MOST_BYTES

SHAPE = NetworkShape(7, 3, 2, seats=2, slots=1, channels=16, layers=2, hidden=8)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "own.npz"
    write_network(path, TrainedNetwork("hex", SHAPE, random_layers(SHAPE, 1), {"hours": 2.0}))
    return path


def changed(path, **arrays):
    """Write the file again with some arrays changed; None takes one out."""
    with np.load(path) as file:
        held = {name: file[name] for name in file.files} | arrays
    np.savez(path, **{name: array for name, array in held.items() if array is not None})
    return path


def about(**changes):
    text = json.dumps(
        {"network": 1, "game": "hex", "shape": {**SHAPE.__dict__}, "trained": {}} | changes
    )
    return np.frombuffer(text.encode(), np.uint8)


def test_what_is_written_is_read(path) -> None:
    found = read_network(path, game="hex")
    assert (found.game, found.shape, found.trained) == ("hex", SHAPE, {"hours": 2.0})
    for name, layer in random_layers(SHAPE, 1)._asdict().items():
        np.testing.assert_allclose(getattr(found.layers, name), layer, rtol=1e-3, atol=1e-6)
    assert [each.name for each in path.parent.iterdir()] == ["own.npz"]


def test_a_folder_that_cannot_be_written_is_one_sentence(path, monkeypatch) -> None:
    def refuse(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    network = read_network(path)
    monkeypatch.setattr(Path, "write_bytes", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(InvalidInput, match=r"own\.npz: Read-only file system$"):
        write_network(path, network)


def test_a_network_of_another_game_is_refused(path) -> None:
    with pytest.raises(InvalidInput, match=r"\bhex\b.*\bflood$"):
        read_network(path, game="flood")


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_a_truncated_file_is_refused(path, share) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(InvalidInput, match=r"\bown\.npz: "):
        read_network(path)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"body": None}, r"\barray body\b"),
        ({"body": np.zeros((2, 2, 16, 16))}, r"\bbody\b.*\bfloat16 or float32\b"),
        ({"body": np.zeros((2, 2, 16, 8), np.float32)}, r"of shape \(2, 2, 16, 16\)"),
        ({"kind": np.full((2, 16), np.inf, np.float32)}, r"\bkind\b.*\bnumber\b"),
        ({"kind": np.full((2, 16), 1e9, np.float32)}, r"\bkind\b.*\bnumber\b"),
        ({"about": None}, r"\bown\.npz: "),
        ({"about": np.frombuffer(b"[" * 100_000, np.uint8)}, r"\bown\.npz: "),
        ({"about": about(network=2)}, r"\bformat 2\b.*\bformat 1\b"),
        ({"about": about(shape={})}, r"\bshape\b"),
        ({"about": about(shape={**SHAPE.__dict__, "layers": 10**9})}, r"\blayers\b"),
        ({"about": about(shape={**SHAPE.__dict__, "relations": ["all"]})}, r"\brelations\b"),
        ({"policy_out": np.array([object()])}, r"\bown\.npz: "),
    ],
)
def test_a_hostile_file_is_refused_in_a_sentence(path, arrays, message) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_network(changed(path, **arrays))


def described(shape) -> bytes:
    """Return the header of an array, with a shape as it is written there."""
    text = f"{{'descr':'<f2','fortran_order':False,'shape':{shape}}}".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(described("(1000000000000000,)"), id="more entries than a memory holds"),
        pytest.param(described(f"({10**30},)"), id="more entries than a number counts"),
        pytest.param(described("(" * 5000), id="an open bracket"),
        pytest.param(described("-" * 9000 + "1"), id="signs without end"),
        pytest.param(b"raw", id="no array"),
    ],
)
def test_a_damaged_array_is_refused(path, part) -> None:
    replace_part(path, "body.npy", part)
    with pytest.raises(InvalidInput, match=r"\bown\.npz: "):
        read_network(path)


def replace_part(path, name, content, compression=zipfile.ZIP_DEFLATED) -> None:
    with zipfile.ZipFile(path) as archive:
        parts = {each: archive.read(each) for each in archive.namelist()} | {name: content}
    with zipfile.ZipFile(path, "w", compression) as archive:
        for each, bytes_of_part in parts.items():
            archive.writestr(each, bytes_of_part)


@pytest.mark.parametrize(
    ("offset", "value"),
    [
        pytest.param(6, 200, id="a later version of the format"),
        pytest.param(8, 1, id="encrypted"),
        pytest.param(10, 99, id="an unknown compression"),
    ],
)
def test_a_changed_directory_is_refused(path, offset, value) -> None:
    content = bytearray(path.read_bytes())
    content[content.find(b"PK\x01\x02") + offset] = value
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=r"\bown\.npz: "):
        read_network(path)


def test_a_damaged_stream_of_another_compression_is_refused(path) -> None:
    replace_part(path, "about.npy", b"", compression=zipfile.ZIP_LZMA)
    content = bytearray(path.read_bytes())
    content[200:260] = bytes(60)
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=r"\bown\.npz: "):
        read_network(path)


def test_a_sentence_quotes_little_of_a_file(path) -> None:
    for changes in (
        {"game": "x" * 10_000},
        {"shape": {**SHAPE.__dict__, "layers": "x" * 10_000}},
        {"shape": {**SHAPE.__dict__, "relations": ["x" * 10_000]}},
    ):
        with pytest.raises(InvalidInput) as refused:
            read_network(changed(path, about=about(**changes)), game="hex")
        assert len(str(refused.value)) < 400 + len(str(path))


@pytest.mark.slow
def test_arrays_that_would_fill_the_memory_are_refused(path) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("body.npy", bytes(1 << 27))
    path.write_bytes(content.getvalue())
    with pytest.raises(InvalidInput, match=rf"\b{MOST_BYTES}\b.* {1 << 27}$"):
        read_network(path)


def test_a_file_that_is_not_there_is_refused(tmp_path) -> None:
    with pytest.raises(InvalidInput, match="No such file"):
        read_network(tmp_path / "none.npz")
    with pytest.raises(InvalidInput, match="No such file"):
        write_network(
            tmp_path / "none" / "own.npz", TrainedNetwork("hex", SHAPE, random_layers(SHAPE, 1))
        )
