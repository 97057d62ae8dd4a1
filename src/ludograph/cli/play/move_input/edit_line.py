"""The line on which a person types a move, with completion among the legal moves."""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.cli.terminal import keyboard
from ludograph.cli.texts import common_start

LONGEST = 60


class EditLine:
    """A text with a caret.

    Attributes
    ----------
    words
        The words to complete: moves first, then requests such as ``hint``.
    """

    def __init__(self, words: Sequence[str] = ()) -> None:
        self.words = list(words)
        self.text = ""
        self.caret = 0
        self._begun: str | None = None

    def clear(self) -> None:
        """Delete the text."""
        self.put("")

    def put(self, text: str) -> None:
        """Replace the text."""
        self.text, self.caret, self._begun = text, len(text), None

    def completions(self, begun: str) -> list[str]:
        """Return the words that begin with a text, in upper or lower case."""
        return [word for word in self.words if word.lower().startswith(begun.lower())]

    def press(self, key: str) -> None:
        """Edit the text by a key; nothing happens for a key without a meaning on a line."""
        if key in (keyboard.UP, keyboard.DOWN):
            self.go(1 if key == keyboard.DOWN else -1)
            return
        self._begun = None
        before, after = self.text[: self.caret], self.text[self.caret :]
        match key:
            case keyboard.LEFT:
                self.caret = max(0, self.caret - 1)
            case keyboard.RIGHT:
                self.caret = min(len(self.text), self.caret + 1)
            case keyboard.HOME:
                self.caret = 0
            case keyboard.END:
                self.caret = len(self.text)
            case keyboard.BACKSPACE:
                self.text, self.caret = before[:-1] + after, max(0, self.caret - 1)
            case keyboard.DELETE:
                self.text = before + after[1:]
            case keyboard.CLEAR | keyboard.ESC:
                self.clear()
            case keyboard.CLEAR_WORD:
                kept = before.rstrip().rpartition(" ")[0]
                self.text, self.caret = kept + after, len(kept)
            case keyboard.TAB:
                self.complete()
            case _ if len(key) == 1 and len(self.text) < LONGEST:
                self.text, self.caret = before + key + after, self.caret + 1

    def complete(self) -> None:
        """Complete the text as far as all of its completions agree."""
        words = self.completions(self.text)
        if words:
            common = common_start(words)
            if len(common) >= len(self.text):
                self.put(common)

    def go(self, step: int) -> None:
        """Replace the text by the next or the previous completion."""
        begun = self.text if self._begun is None else self._begun
        words = self.completions(begun)
        if not words:
            return
        if self._begun is None:
            place = 0 if step > 0 else len(words) - 1
            if words[place] == self.text:
                place += step
        else:
            place = words.index(self.text) + step
        self.put(words[place % len(words)])
        self._begun = begun
