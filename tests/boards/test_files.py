"""Files and plain data: exact round trips, and one sentence for everything that is wrong."""

import contextlib
import copy
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph import boards, documents
from ludograph.errors import InvalidInput
from tests.amounts import amount, few

BOARDS = [
    boards.square(3, 2),
    boards.donut(3),
    boards.hatched(6),
    boards.torus(2),
    boards.hexagonal(3).with_marks({"left": [0, 3, 6], "nothing": []}, name="Hex «3»"),
    boards.from_edges(1, []),
]
GOOD = boards.to_data(boards.hexagonal(2).with_marks({"top": [0, 1]}))

coordinate = st.floats(-1e9, 1e9)
point = st.tuples(coordinate, coordinate)


@st.composite
def data_of_boards(draw):
    n = draw(st.integers(1, 8))
    label = st.text(min_size=1, max_size=9).filter(str.isprintable)
    some = st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True)
    edges = [[draw(st.integers(0, v - 1)), v] for v in range(1, n)]
    data = {"vertices": n, "edges": draw(st.permutations(edges))}
    optional = {
        "name": label,
        "positions": st.lists(point, min_size=n, max_size=n),
        "outlines": st.lists(st.lists(point, min_size=3, max_size=5), min_size=n, max_size=n),
        "marks": st.dictionaries(label, some, max_size=3),
        "starts": some.map(lambda of: {str(len(of)): of}),
        "links": st.booleans(),
        "version": st.just(1),
        "format": st.just("ludograph-board"),
    }
    for key in draw(st.lists(st.sampled_from(sorted(optional)), unique=True)):
        data[key] = draw(optional[key])
    return data


@settings(deadline=None, max_examples=few(6, 100))
@given(data_of_boards())
def test_data_round_trip(data):
    board = boards.from_data(data)
    out = boards.to_data(board)
    assert boards.to_data(boards.from_data(out)) == out
    assert boards.to_data(boards.from_data(json.loads(json.dumps(out)))) == out
    for key, value in data.items():
        if key == "edges":
            assert out[key] == sorted(value)
        elif key in ("positions", "outlines"):
            assert json.dumps(out[key]) == json.dumps(value)
        else:
            assert out[key] == value


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_file_round_trip(board, tmp_path):
    boards.save(board, tmp_path / "board.json")
    again = boards.load(tmp_path / "board.json")
    assert boards.to_data(again) == boards.to_data(board)
    for field in ("offsets", "neighbors", "positions", "outline_offsets", "outline_points"):
        assert np.array_equal(getattr(again, field), getattr(board, field))
        assert getattr(again, field).dtype == getattr(board, field).dtype
    for seats in (1, 2, 3, 4)[: board.n]:
        assert again.starts(seats).tolist() == board.starts(seats).tolist()


@pytest.mark.slow
def test_a_million_vertices_there_and_back(tmp_path):
    board = boards.torus(1000)
    boards.save(board, tmp_path / "big.json")
    again = boards.load(tmp_path / "big.json")
    assert np.array_equal(again.neighbors, board.neighbors)
    assert np.array_equal(again.outline_points, board.outline_points)


def test_only_vertices_and_edges_are_required(tmp_path):
    (tmp_path / "City map.json").write_text('{"vertices": 3, "edges": [[1, 0], [1, 2]]}')
    board = boards.load(tmp_path / "City map.json")
    assert board.name == "City map"
    assert board.edges().tolist() == [[0, 1], [1, 2]]
    assert board.links
    assert np.diff(board.outline_offsets).tolist() == [8, 8, 8]


def change(**fields):
    data = copy.deepcopy(GOOD) | fields
    return {key: value for key, value in data.items() if value is not None}


NAN = float("nan")
WRONG = [
    ([], "`object`, got `array`"),
    (None, "`object`"),
    (change(edges=None), "`edges`"),
    (change(color=3), "`color`"),
    (change(format="sgf"), "format: "),
    (change(version=2), "version: "),
    (change(version=2, color=3), "version: "),
    (change(vertices=0, edges=[]), "vertices: "),
    (change(vertices=-3), "vertices: "),
    (change(vertices=10**15), "vertices: "),
    (change(vertices=10**40), "vertices: "),
    (change(vertices=True), "vertices: "),
    (change(vertices="4"), "vertices: "),
    (change(edges=[[0, 1], [0, 4]]), "edges[1]: vertex 4 "),
    (change(edges=[[0, 1], [-1, 2]]), "edges[1]: vertex -1 "),
    (change(edges=[[0, 1], [2, 2]]), "edges[1]: vertex 2 "),
    (change(edges=[[0, 1], [2, 3], [1, 0], [3, 2]]), "edges[2]: "),
    (change(edges=[[0, 1], [3, 2]]), "(2 components)"),
    (change(vertices=10**6, edges=[[0, 1]]), "(1000 or more components)"),
    (change(edges=[]), "edges: "),
    (change(edges=[[0, 1, 2]]), "edges[0]: "),
    (change(edges=[[0, 1.5]]), "edges[0][1]: "),
    (change(edges=[[0, 10**30]]), "edges[0][1]: "),
    (change(edges={"0": 1}), "edges: "),
    (change(positions=[[0, 0]]), "positions: "),
    (change(positions=[[0, 0], [1, 0], [NAN, 0], [1, 1]]), "positions[2]: "),
    (change(positions=[[0, 0], [1, 0], [0, 1e300], [1, 1]]), "positions[2]: "),
    (change(positions=[[0, 0], [1, "x"]]), "positions[1][1]: "),
    (change(outlines=[[[0, 0]]] * 4), "outlines[0]: "),
    (change(outlines=[[[0, 0]] * 3] * 3), "outlines: "),
    (change(outlines=[[[0, 0]] * 3] * 3 + [[[0, 0], [0, NAN], [1, 1]]]), "outlines[3][1]: "),
    (change(outlines=[[[0, 0]] * 3] * 3 + [[[0, 0], [1e99, 0], [1, 1]]]), "outlines[3][1]: "),
    (change(marks={"top": [0, 4]}), "marks.top[1]: vertex 4 "),
    (change(marks={"top": [0, 0]}), "marks.top: "),
    (change(marks={"a\nb": [0]}), "marks: "),
    (change(starts={"2": [0]}), "starts.2: "),
    (change(starts={"two": [0, 1]}), "'two'"),
    (change(starts={"02": [0, 1]}), "'02'"),
    (change(starts={"1": [7]}), "starts.1[0]: vertex 7 "),
    (change(name="x" * 1000), "name: "),
    (change(name="\x1b[31m"), "name: "),
    (change(links="yes"), "links: "),
]


@pytest.mark.parametrize(("data", "named"), WRONG)
def test_wrong_data_get_one_sentence_with_the_field(data, named):
    with pytest.raises(InvalidInput) as caught:
        boards.from_data(data, source="city.json")
    text = str(caught.value)
    assert text.startswith("city.json: ")
    assert named in text
    assert "\n" not in text
    assert len(text) < 300


@pytest.mark.parametrize(("data", "named"), WRONG[1:])
def test_wrong_files_get_the_same_sentence(data, named, tmp_path):
    path = tmp_path / "city.json"
    path.write_text(json.dumps(data))  # writes NaN, which is not JSON
    with pytest.raises(InvalidInput) as caught:
        boards.load(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert named in text or "NaN" in path.read_text()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"null",
        b"[" * 100_000,
        b'{"vertices": 2, "edges": ' + b"[" * 100_000,
        b'{"vertices": 2, "edges": [[0, 1]], "marks": ' + b'{"a":' * 100_000,
        b'{"vertices": 2, "edges": [[0, 1]], "name": "\xff"}',
        b'{"vertices": 2, "edges": [[0, 1]], "name": "\\ud800"}',
        b'{"vertices": 2, "edges": [[0, 1]], "positions": [[0, 0], [1e999, 0]]}',
        b'{"vertices": 2, "edges": [[0, 1]]} {}',
        b'{"vertices": 2, "edges": [[0, 1]]' + b"}" * 9,
        b'{"vertices": ' + b"9" * 10_000 + b', "edges": [[0, 1]]}',
    ],
)
def test_broken_json(content, tmp_path):
    (tmp_path / "broken.json").write_bytes(content)
    with pytest.raises(InvalidInput, match=r"broken\.json: ") as caught:
        boards.load(tmp_path / "broken.json")
    assert "\n" not in str(caught.value)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda of: st.lists(of, max_size=4) | st.dictionaries(st.text(max_size=5), of, max_size=4),
    max_leaves=8,
)
near = st.integers(-2, 6) | st.floats() | st.none()
replacement = anything | st.lists(st.lists(near, max_size=3), max_size=5) | near


@settings(max_examples=amount(200), deadline=None)
@given(st.dictionaries(st.sampled_from([*GOOD, "other"]), replacement, min_size=1, max_size=2))
def test_data_with_strange_fields_never_fail_in_another_way(fields):
    try:
        board = boards.from_data(copy.deepcopy(GOOD) | fields)
    except InvalidInput:
        pass
    else:
        assert boards.to_data(boards.from_data(boards.to_data(board))) == boards.to_data(board)


@settings(max_examples=amount(200), deadline=None)
@given(st.data())
def test_files_with_strange_bytes_never_fail_in_another_way(tmp_path_factory, data):
    text = bytearray(json.dumps(GOOD).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=3))
    path = tmp_path_factory.getbasetemp() / "strange.json"
    path.write_bytes(text)
    with contextlib.suppress(InvalidInput):
        boards.load(path)


@settings(deadline=None)
@given(st.dictionaries(st.integers() | st.text() | st.none(), anything) | anything)
def test_anything_is_refused(data):
    with pytest.raises(InvalidInput, match=r"^board: "):
        boards.from_data(data)


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "folder.json").mkdir()
    for path, sentence in [
        (tmp_path / "none.json", "there is no such file"),
        (tmp_path / "folder.json", "this is not a file"),
        (tmp_path / "board.xml", r"the suffix must be one of \.json, \.graphml, \.gml, "),
        (tmp_path / "board", "the suffix must be one of"),
        (tmp_path / ("x" * 5000 + ".json"), "cannot be read|no such file"),
        ("a\0b.json", "cannot be read|no such file"),
        ("/dev/zero.json", "no such file"),
    ]:
        with pytest.raises(InvalidInput, match=sentence):
            boards.load(path)


def test_a_huge_file_is_not_read(tmp_path):
    with open(tmp_path / "huge.json", "wb") as file:
        file.truncate(2**40)  # sparse
    with pytest.raises(InvalidInput, match=rf"\b{2**40}\b.*boards?"):
        boards.load(tmp_path / "huge.json")


def test_files_that_cannot_be_written(tmp_path):
    board = boards.square(2)
    with pytest.raises(InvalidInput, match=r"board\.graphml: .*\.json$"):
        boards.save(board, tmp_path / "board.graphml")
    with pytest.raises(InvalidInput, match=r"board\.json: "):
        boards.save(board, tmp_path / "none" / "board.json")


def test_a_file_that_may_not_fit_into_the_memory(tmp_path, monkeypatch):
    boards.save(boards.square(30), tmp_path / "b.json")
    size = (tmp_path / "b.json").stat().st_size
    monkeypatch.setattr(documents, "free_memory", lambda: 2**20)
    with pytest.raises(InvalidInput, match=f"b.json: reading {size} bytes may take 0.0 GiB"):
        boards.load(tmp_path / "b.json")
    monkeypatch.undo()
    assert documents.free_memory() > 2**20
    assert boards.load(tmp_path / "b.json").n == 900
