"""The file of a network: its layers, its shape, and the game that it is for.

A file is an archive of NumPy arrays (``.npz``), without pickled objects: the fields of
:class:`~ludograph.search.network.layers.Layers` in half precision, and ``about``: bytes of JSON.

Archives may come from untrusted sources: a damaged one raises one kind of error.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Container, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np

from ludograph.documents import replacing
from ludograph.errors import InvalidInput
from ludograph.formatting import one_line
from ludograph.search.network.layers import Layers, NetworkShape, check_layers

MESSAGE = 100
"""The most characters of the reason in a message."""

DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    tokenize.TokenError,  # NumPy's parser of an array's header
    ValueError,
    OverflowError,
    EOFError,
    RuntimeError,  # encrypted, or of a later version of the format
    MemoryError,  # a header that declares more entries than a memory holds
)
"""What NumPy and zipfile raise for the bytes of a damaged archive."""


class DamagedArchive(Exception):
    """A file is no archive of arrays, or a part of it is damaged."""


def read_arrays(
    file: Path | IO[bytes], names: Container[str] | None = None
) -> dict[str, np.ndarray[Any, Any]]:
    """Return the arrays of an archive by name; none is unpickled.

    Parameters
    ----------
    names
        Arrays with other names are left out; None: all are read.

    Raises
    ------
    DamagedArchive
        If it is not complete, or contains anything but plain arrays.
    OSError
        If the file cannot be read.
    """
    try:
        with np.load(file, allow_pickle=False) as archive:
            arrays = {
                name: archive[name] for name in archive.files if names is None or name in names
            }
    except DAMAGED as error:
        raise DamagedArchive(one_line(str(error), MESSAGE)) from None  # some quote its bytes
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray):
            raise DamagedArchive(f"{name} is not an array")
    return arrays


FORMAT = 1
"""The version; it rises when the meaning of the arrays or of the network changes."""

MOST_BYTES = 1 << 26
"""The greatest sizes of a file, and of its arrays, in bytes."""

ABOUT = "about"


@dataclass(frozen=True, eq=False)
class TrainedNetwork:
    """A network as it is stored in a file.

    Attributes
    ----------
    game
        The name of the game that it is for.
    shape, layers
        The sizes and the numbers of the network.
    trained
        Its training, as JSON-able data: boards, games, hours, seed.
    """

    game: str
    shape: NetworkShape
    layers: Layers
    trained: Mapping[str, Any] = field(default_factory=dict)


def write_network(path: str | Path, network: TrainedNetwork) -> None:
    """Write a network; the file is there as a whole or not at all.

    Raises
    ------
    InvalidInput
        If it cannot be written.
    """
    path = Path(path)
    about = {
        "network": FORMAT,
        "game": network.game,
        "shape": asdict(network.shape),
        "trained": dict(network.trained),
    }
    text = json.dumps(about, ensure_ascii=False).encode()
    arrays: dict[str, Any] = {ABOUT: np.frombuffer(text, np.uint8)}
    for name, layer in network.layers._asdict().items():
        arrays[name] = layer.astype(np.float16)
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)
    try:
        with replacing(path) as part:
            part.write_bytes(content.getvalue())
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}") from None


def digest_of(network: TrainedNetwork) -> str:
    """Return 16 hexadecimal digits that identify the numbers of a network."""
    digest = hashlib.sha256()
    for layer in network.layers:
        digest.update(layer.tobytes())
    return digest.hexdigest()[:16]


def read_network(path: str | Path, *, game: str | None = None) -> TrainedNetwork:
    """Read a network.

    Parameters
    ----------
    game
        The game that it must be for; None: any.

    Raises
    ------
    InvalidInput
        If the file cannot be read, is damaged, too large, or of another game or version.
    """
    path = Path(path)
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise InvalidInput(f"{path}: a network has at most {MOST_BYTES} bytes, this has {size}")
        content = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}") from None
    return parsed(content, str(path), game=game)


def parsed(content: bytes, name: str, *, game: str | None) -> TrainedNetwork:
    """Return the network in the bytes of a file; ``name`` is for messages.

    Raises
    ------
    InvalidInput
        As :func:`read_network`.
    """
    damaged = InvalidInput(f"{name}: this is not a complete file of a network")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            held = sum(part.file_size for part in archive.infolist())
    except (*DAMAGED, OSError):
        raise damaged from None
    if held > MOST_BYTES:
        raise InvalidInput(
            f"{name}: the arrays of a network have at most {MOST_BYTES} bytes, these {held}"
        )
    try:
        arrays = read_arrays(io.BytesIO(content), (ABOUT, *Layers._fields))
    except (DamagedArchive, OSError):
        raise damaged from None
    about = about_of(arrays.pop(ABOUT, None), name)
    if game is not None and about["game"] != game:
        raise InvalidInput(f"{name}: this network is for {one_line(about['game'])}, not for {game}")
    try:
        shape = shape_of(about.get("shape"))
        layers = check_layers(shape, arrays)
    except InvalidInput as error:
        raise InvalidInput(f"{name}: {error}") from None
    trained = about.get("trained")
    return TrainedNetwork(
        about["game"], shape, layers, trained if isinstance(trained, dict) else {}
    )


def about_of(array: Any, name: str) -> dict[str, Any]:
    """Return a file's description of its network."""
    try:
        about = json.loads(bytes(array)) if isinstance(array, np.ndarray) else None
    except (ValueError, RecursionError):
        about = None
    if not isinstance(about, dict) or not isinstance(about.get("game"), str):
        raise InvalidInput(f"{name}: this file does not say which network it holds")
    if about.get("network") != FORMAT:
        raise InvalidInput(
            f"{name}: this network is of format {str(about.get('network'))[:20]}, "
            f"this version reads format {FORMAT}"
        )
    return about


def shape_of(data: Any) -> NetworkShape:
    """Return the shape that a file declares."""
    names = set(NetworkShape.__dataclass_fields__)
    if not isinstance(data, dict) or set(data) != names or not isinstance(data["relations"], list):
        raise InvalidInput(f"the shape of the network must have {', '.join(sorted(names))}")
    return NetworkShape(**{**data, "relations": tuple(data["relations"])})
