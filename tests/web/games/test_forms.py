"""Forms, without a browser: what they say, and what they understand."""

import re

import pytest

from ludograph.errors import InvalidInput
from ludograph.games.registry import OURS, declaration, load
from ludograph.web.app import application
from ludograph.web.games import forms
from ludograph.web.games.forms import fields
from ludograph.web.games.game_pictures import start_picture

ORIGIN = {"origin": "http://localhost"}

COMMANDS = re.compile(r"--|_|\b(file|option|given|course's|ludograph|boards')\b|[A-Z]{3}")
"""What speaks to who types a command."""


@pytest.mark.parametrize("game", OURS)
def test_forms_speak_to_who_fills_them_in(game) -> None:
    for field in fields(declaration(game), {}):
        said = (field.label, field.summary, *(field.words.values() if field.kind != "text" else ()))
        assert not [text for text in said if COMMANDS.search(text)]
        assert field.label[0].isupper()


@pytest.mark.parametrize("game", OURS)
def test_what_a_form_shows_at_first_begins_the_usual_game_or_what_most_people_know(game) -> None:
    declared = declaration(game)
    given = {}
    for field in fields(declared, {}):
        given |= {field.name: field.value} if field.value else {}
        if field.kind == "board":
            given |= {f"{field.name}.width": field.size[0], f"{field.name}.height": field.size[1]}
        if field.kind == "word":
            assert field.value in field.words
    chosen = forms.read(declared, {**given, "seed": "3", "player1": "human"})
    known = {each.name: each.form.value for each in declared.options if each.form.value}
    usual = load(declared).position(seats=chosen.start.seats, seed=3, **known)
    assert chosen.start == usual


@pytest.mark.slow
def test_another_game_is_begun_with_the_same_settings(client) -> None:
    wanted = {"player0": "human", "player1": "random", "board": "hexagonal", "board.width": "3"}

    def begun(fields):
        answer = client.post("/games/hex", data=fields, follow_redirects=False)
        assert answer.status_code == 303
        return answer.headers["location"]

    shown = client.get(begun({**wanted, "seed": "7"})).text
    again = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', shown))
    assert again == wanted
    assert ", seed 7<" in shown
    place = begun(again)
    assert "seed" not in client.get(place).text  # it is drawn, and a secret
    number = re.search(r"/match/([^?]*)", place)[1]
    form = client.get(f"/games/hex?like={number}").text
    assert re.search(r'<option value="random"[^>]* selected>', form)
    assert 'name="pie" id="pie" value="true">' in form  # which was not checked
    for strange in ("../../etc/passwd", number[:-1] + "x", ""):
        assert client.get("/games/hex", params={"like": strange}).status_code == 200


@pytest.mark.slow
def test_the_picture_beside_a_form_shows_the_board_that_is_chosen(client) -> None:
    def shown(**fields):
        return client.get("/games/hex/picture.svg", params=fields)

    small = {"board": "hexagonal", "board.width": "3", "pie": "true"}
    assert "<svg" in shown(**small).text
    assert shown(**small).text != shown(**{**small, "board": "square"}).text
    large = shown(**{**small, "board.width": "199"})
    assert large.text == client.get("/games/hex/picture.svg").text
    assert "<svg" in shown(**small, **{"other.width": "x"}).text
    for wrong in ({"board.width": "0"}, {"board.width": "x"}, {"board": "/etc"}, {"seed": "-1"}):
        assert shown(**{**small, **wrong}).status_code == 400


@pytest.mark.parametrize("width", ["abc", "", "-3", "9" * 5000])
def test_wrong_sides_without_a_board_are_refused(width) -> None:
    with pytest.raises(InvalidInput, match="board: "):
        start_picture("hex", {"board.width": width}, None)


@pytest.mark.parametrize("game", OURS)
def test_who_begins_plays_against_the_middle_of_the_levels(game) -> None:
    from ludograph.web.games.opponent_levels import levels_of

    declared = declaration(game)
    players = [level.choice for level in levels_of(declared)]
    assert forms.usual_player(declared, 0) == "human"
    assert players.index(forms.usual_player(declared, 1)) == 1


@pytest.mark.parametrize("game", OURS)
def test_play_now_sends_the_usual_game_with_a_level_at_the_other_seat(game) -> None:
    declared = declaration(game)
    sent = forms.untouched(declared)
    chosen = forms.read(declared, {**sent, "seed": "3"})
    known = {each.name: each.form.value for each in declared.options if each.form.value}
    seats = forms.usual_seats(declared)
    assert chosen.start == load(declared).position(seats=seats, seed=3, **known)
    assert chosen.own == (0,)
    assert forms.usual_player(declared, 1) == sent["player1"]


def test_a_click_on_the_first_page_begins_a_game(tmp_path, opened) -> None:
    from ludograph.web.app import application

    client = opened(application(tmp_path / "games", str(tmp_path / "store.db")))
    game, form = re.search(
        r'<form method="post" action="(/games/[a-z]+)">(.*?)</form>',
        client.get("/").text,
        re.DOTALL,
    ).groups()
    sent = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form))
    levels = re.findall(r'name="player1" value="(level:[^"]*)"( checked)?', form)
    assert [checked for _, checked in levels] == ["", " checked", ""]
    headers = {"origin": "http://localhost"}
    for player in ("guest", levels[0][0]):
        data = sent | {"player1": player}
        begun = client.post(game, data=data, headers=headers, follow_redirects=False)
        assert begun.status_code == 303
        assert re.fullmatch(r"/match/[0-9a-f-]+\?key=.+", begun.headers["location"])


def test_a_choice_has_words_and_another_text_can_be_typed() -> None:
    declared = declaration("carcassonne")

    def deck(**given):
        return forms.read(declared, {"player1": "human", "mode": "NO_MEEPLE", **given}).start.deck

    def shown(**given):
        (field,) = [each for each in fields(declared, given) if each.name == "deck"]
        return field.value, field.other

    (offered,) = [each.words for each in fields(declared, {}) if each.name == "deck"]
    *words, other = offered
    for word in words:
        assert deck(deck=word) == load(declared).position(deck=word).deck
        assert shown(deck=word) == (word, "")
    assert deck(**{"deck": other, "deck.other": " course:9 "}).size == 9
    assert shown(**{"deck": other, "deck.other": "course:9"}) == (other, "course:9")
    assert shown(deck="course:9") == (other, "course:9")
    for wrong in ("course:x", "/etc/passwd"):
        with pytest.raises(InvalidInput, match="deck must be"):
            deck(**{"deck": other, "deck.other": wrong})


def test_what_needs_another_choice_stands_behind_it() -> None:
    names = [field.name for field in fields(declaration("carcassonne"), {})]
    assert names.index("meeples") == names.index("mode") + 1


def test_a_form_offers_each_family_that_suits_the_game_once() -> None:
    (board,) = [each for each in fields(declaration("penguins"), {}) if each.kind == "board"]
    assert len(set(board.words.values())) == len(board.words)
    assert board.words["square"] == "squares"
    assert "triangular" not in board.words
    given = {"board": "full-tetra", "board.width": "4"}
    assert forms.options(declaration("penguins"), given)["board"] == "full-tetra:4"


def test_levels_keep_their_names() -> None:
    from ludograph import make
    from ludograph.web.games.opponent_levels import levels_of
    from ludograph.web.positions.serializers import SceneEncoder, frame

    position = make("hex", size=3)
    players = [levels_of(declaration("hex"))[1].player, "human"]
    told = frame(position, SceneEncoder(position.scene()), players, players, [2, 0])["seats"]
    assert [seat["shown"] for seat in told] == ["Medium bot", "a person"]


@pytest.mark.slow
@pytest.mark.parametrize("game", OURS)
def test_a_form_says_who_begins_and_with_which_color(game, opened, tmp_path) -> None:
    from ludograph.web.app import application

    client = opened(application(tmp_path / "games", str(tmp_path / "store.db")))
    labels = re.findall(
        r'<label for="player\d">(.*?)</label>', client.get(f"/games/{game}").text, re.S
    )
    words = [" ".join(re.sub("<.*?>", " ", label).split()) for label in labels]
    start = load(declaration(game)).position(
        **{each.name: each.form.value for each in declaration(game).options if each.form.value}
    )
    facts = [start.game.presentation.seat_facts(start, seat).color for seat in range(2)]
    expected = [f"{color.capitalize() or 'First'} begins" for color in facts[:1]]
    expected += [f"{color.capitalize()} second" if color else "Second" for color in facts[1:]]
    assert words[:2] == expected
    assert ("<circle" in labels[0]) == bool(facts[0])


@pytest.mark.slow
def test_usual_sizes_are_offered_beside_a_board(opened, tmp_path) -> None:
    from ludograph.web.app import application

    client = opened(application(tmp_path / "games", str(tmp_path / "store.db")))
    text = client.get("/games/hex").text
    assert '<button type="button" data-width="11">11</button>' in text
    for game in OURS:
        for field in fields(declaration(game), {}):
            for size in field.sizes:
                board = forms.options(
                    declaration(game), {"board": field.value, "board.width": str(size)}
                )
                assert load(declaration(game)).position(**board).board.n >= size


@pytest.mark.slow
def test_a_form_shows_what_is_chosen(page) -> None:
    from playwright.sync_api import expect

    page.goto("/games/hex")
    picture, large = page.locator(".about img"), page.locator("#large")
    assert "board.width" not in picture.get_attribute("src")
    page.locator("[name='board.width']").fill("89")  # while it is typed, before the field is left
    page.get_by_text("its cells will be small").wait_for()
    page.get_by_role("button", name="9", exact=True).click()
    page.wait_for_selector(".about img[src*='board.width=9']")
    assert page.locator("[name='board.width']").input_value() == "9"
    assert large.inner_text() == ""
    name = page.get_by_label("Your name")
    assert not name.is_visible()
    page.get_by_label("White").select_option("guest")
    name.fill("Ada")
    page.get_by_role("button", name="Start").click()
    # Folded, as the name is known.
    expect(page.locator("#own-name")).to_have_value("Ada")


@pytest.mark.slow
def test_a_wrong_start_is_named_and_the_field_stays_open(tmp_path, opened) -> None:
    client = opened(application(tmp_path / "g", str(tmp_path / "s.db")), headers=ORIGIN)
    shown = client.get("/games/flood").text
    assert "<details open>" not in shown
    assert "as in 0,5" in shown
    form = {"board": "square", "board.width": "3", "starts": "0,9"}
    answer = client.post("/games/flood", data=form)
    assert answer.status_code == 400
    assert re.search(r"\b9\b.* 8\b", answer.text)
    assert "<details open>" in answer.text
    assert client.post("/games/flood", data=form | {"starts": "0,5"}).status_code == 200
