"""Records of the present format lead to their ends; formats that are not known are refused.

When the format of records or the version of a game rises, add records that the last version before
wrote, or remove those that are no longer read. Versions of stores are tested in
``arena/test_store.py`` and ``arena/test_solved.py``, of records in ``referee/test_records.py``.
"""

import json
from pathlib import Path

import pytest

from ludograph import read_record
from ludograph.games.registry import names

RECORDS = sorted((Path(__file__).parent / "samples").glob("*.jsonl"))


def test_there_is_a_record_of_each_game() -> None:
    assert {path.stem for path in RECORDS} >= set(names())


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_leads_to_its_end(path) -> None:
    record = read_record(path)
    last = json.loads(path.read_text().splitlines()[-1])
    position = record.position_at(record.plies)
    assert position.is_over
    assert record.end["ranks"] == last["ranks"]
    assert list(position.scores()) == last["scores"]
