"""The script that looks for printed words finds those that are missing, elsewhere, or in another order."""

from __future__ import annotations

import pytest
from by_hand.find_words import faults

from kaiser_logic.printing.sources import Sentence

TEXT = """
**Beurt**
Wie aan de beurt is, neemt *een tot drie* stenen.
Meer dan er zijn, neemt niemand.

Einde: wie het laatst neemt, wint het spel.
"""


@pytest.mark.parametrize(
    ("heading", "words", "said"),
    [
        ("Beurt", ("neemt een tot drie", "meer dan er zijn"), None),
        ("Fase 1: Beurt", ("neemt een tot drie", "meer dan er zijn"), None),
        ("the lines before Einde", ("neemt een tot drie", "meer dan er zijn"), None),
        ("Beurt", ("meer dan er zijn", "neemt een tot drie"), "before the words of the sentence above"),
        ("Beurt", ("neemt een tot vier", "meer dan er zijn"), "not in the text: neemt een tot vier"),
        ("Beurt", ("neemt een tot drie", "wint het spel"), "in another section"),
        ("Beurt", ("stenen", "neemt niemand einde"), "1 words: stenen"),
        ("Beurt", ("", "meer dan er zijn"), "no words"),
    ],
)
def test_words_are_looked_for_in_their_section(
    heading: str, words: tuple[str, ...], said: str | None
) -> None:
    made = [Sentence("nl", heading, n, "", (), "", text) for n, text in enumerate(words, 1)]
    made += [Sentence("nl", "Einde", 1, "", (), "", "wie het laatst neemt")]
    found = list(faults(made, TEXT))
    assert len(found) == (said is not None)
    assert said is None or said in found[0]
