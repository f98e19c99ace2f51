"""The counterexamples of a report."""

from support.heap_game import FOLDER

from kaiser_logic.game import load
from kaiser_logic.solving.report import Counterexample, Proof, add_origins


def test_the_first_two_counterexamples_have_an_origin():
    """A game leads to the position, or a proved claim excludes it."""
    evaluator = load(FOLDER).evaluator
    start = tuple(map(str, evaluator.initial()))
    alone = ("seat(red,1)", "seat(green,2)", "phase(play)", "heap(8)", "taken(red,4)", "decision(green,take)")
    first = Proof("a", "A.")
    for label, facts in (("take(K)", alone), ("take(K)", start), ("step pass_on", alone)):
        first.falls(Counterexample(label, facts))
    add_origins(evaluator, [first, Proof("one_taker", "B.")], 5)
    found = [e.origin and (e.origin.verdict, e.origin.invariant) for e in first.counterexamples]
    assert found == [("impossible", "one_taker"), ("reachable", ""), None]
    other = Proof("a", "A.")
    other.falls(Counterexample("take(K)", alone))
    add_origins(evaluator, [other], 5)
    assert other.counterexamples[0].origin is not None
    assert other.counterexamples[0].origin.verdict == "open"
