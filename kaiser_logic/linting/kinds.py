"""The kinds of findings, by the ids of ``Finding.what``: what each says, and whether it keeps a rulebook from loading."""

from __future__ import annotations

from typing import Final, NamedTuple


class Kind(NamedTuple):
    """A kind of finding.

    Attributes:
        about: What is wrong, in a sentence.
        refuses: Whether a rulebook with such a finding is refused when it is loaded.
    """

    about: str
    refuses: bool = True


KINDS: Final = {
    "syntax": Kind("A file cannot be read."),
    "file": Kind("A file that the manifest names is missing."),
    "manifest": Kind("A key of the manifest is missing, unknown, of the wrong type, or has an impossible value."),
    "engine": Kind("The manifest asks for a file of the engine that does not exist."),
    "drawing": Kind("The drawing is missing, or is also one of the programs of rules."),
    "directive": Kind("A program contains something other than rules."),
    "choice": Kind("The head of a rule is a choice, or not an atom."),
    "constraint": Kind("A rule without a head forbids positions; an invariant says this with broken/2."),
    "negation": Kind("A predicate has the sign '-'; there is only 'not'."),
    "script": Kind("A rule calls a function of a script, or has a theory atom."),
    "documentation": Kind("A line that begins with %! cannot be read."),
    "twice": Kind("Two headings have the same id."),
    "undocumented": Kind("An id of a violation, a decision or an invariant has no heading."),
    "source": Kind("A source says in an unknown form that the text is silent, or that the rule is assumed."),
    "edition": Kind("A heading gives the source in an edition that the manifest does not have."),
    "undefined": Kind("A rule reads a predicate that no rule derives."),
    "arity": Kind("A predicate or a term has another number of arguments than elsewhere."),
    "renamed": Kind("A rule uses a word of the contract that has been renamed."),
    "head": Kind("A rule derives a fluent, or a predicate of the engine."),
    "fluent": Kind("A fact that is added, deleted or there at the start is not declared as a fluent."),
    "counter": Kind("A fact that is gained, lost or shifted is neither a counter nor a single piece."),
    "counted": Kind("A fluent or decision that is declared counted, stated, a unit or simultaneous does not exist."),
    "step": Kind("due(S) without step(S)."),
    "decision": Kind("A decision without actions, or without a fluent."),
    "out_of_turn": Kind("A decision has no rule that is broken by acting without it."),
    "action": Kind("A rule is about an action that the vocabulary does not declare."),
    "candidate": Kind("An action is never a candidate, or a rule reads several candidates."),
    "init": Kind("Nothing holds at the start."),
    "ruling": Kind("A rule reads a ruling that the manifest does not have."),
    "value": Kind("A rule reads a value that the ruling does not have."),
    "start": Kind("A rule reads a start tag, or a value of one, that the manifest does not have."),
    "lasting": Kind("A fact about the whole game depends on the position or on an action."),
    "things": Kind("The things in sets are not numbered 1, 2 ... each once."),
    "invariant": Kind("An invariant has no plain name, or a name of the engine's."),
    "loop": Kind("Predicates depend on themselves through 'not' or a sum."),
    "endless": Kind("A rule derives ever new numbers."),
    "unsafe": Kind("A variable is not bound by a positive atom."),
    "constant": Kind("A rule reads or adds a term that can never be there.", refuses=False),
    "why": Kind("A sentence names a variable that no rule behind it has, or has a condition that cannot be read.", refuses=False),
    "unlisted": Kind("The manifest does not name a program of the folder.", refuses=False),
    "needs": Kind("A file of the engine reads a predicate that the rulebook does not define.", refuses=False),
    "cell": Kind("A cell, a row or a column of a drawing has no place in a table.", refuses=False),
    "slow": Kind("A rule is not compiled: the questions that need it are left to clingo.", refuses=False),
    "repeated": Kind("The same rule stands twice.", refuses=False),
    "idle": Kind("A step that has no effect, or is never due.", refuses=False),
    "unused": Kind("A predicate is derived and never read.", refuses=False),
    "exports": Kind("The manifest exports a predicate that no rule derives.", refuses=False),
    "effect": Kind("A change depends on no action and no step.", refuses=False),
    "judging": Kind("A violation concerns no candidate, or reads what is known only after the action is done.", refuses=False),
    "collecting": Kind("A violation reads what other candidates may say: lists and verdicts may differ.", refuses=False),
    "measure": Kind("A measure has no limit, or a limit has nothing that counts.", refuses=False),
    "bound": Kind("A sum has no bound: it would take every value in open positions.", refuses=False),
    "ending": Kind("No rule says when the game is over, or who has won.", refuses=False),
    "heading": Kind("A heading is of the wrong kind, or documents nothing.", refuses=False),
    "phrase": Kind("A phrase is for something that does not exist, or names a variable that its pattern lacks.", refuses=False),
}  # fmt: skip
"""All kinds of findings."""
