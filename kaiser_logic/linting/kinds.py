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
    "engine": Kind("The manifest asks for a file of the engine that is none."),
    "drawing": Kind("The drawing is missing, or is a program of the rules too."),
    "directive": Kind("A program has something else than rules."),
    "choice": Kind("A rule's head is a choice, or no atom."),
    "constraint": Kind("A rule without a head forbids positions; an invariant would say so with broken/2."),
    "negation": Kind("A predicate has the sign '-'; there is only 'not'."),
    "script": Kind("A rule calls a function of a script, or has a theory atom."),
    "documentation": Kind("A line that begins with %! cannot be read."),
    "twice": Kind("Two headings have the same id."),
    "undocumented": Kind("An id of a violation, a decision or an invariant has no heading."),
    "source": Kind("A source says in a form that is not read that the text is silent, or that the rule is assumed."),
    "edition": Kind("A heading gives the source in an edition that the manifest does not have."),
    "undefined": Kind("A rule reads a predicate that nothing says."),
    "arity": Kind("A predicate or a term has another number of arguments than elsewhere."),
    "renamed": Kind("A rule has a word of the contract that has another name now."),
    "head": Kind("A rule says what is not its to say: a fluent, or what the engine says."),
    "fluent": Kind("What is added, deleted or there at the start is declared as no fluent."),
    "counter": Kind("What is gained, lost or shifted is neither counted nor a single piece."),
    "counted": Kind("What is declared to be counted, stated, a unit or simultaneous does not exist."),
    "step": Kind("due(S) without step(S)."),
    "decision": Kind("A decision without actions, or without a fluent."),
    "out_of_turn": Kind("A decision without the rule that is broken by those who act without it."),
    "action": Kind("A rule is about an action that the vocabulary does not declare."),
    "candidate": Kind("An action that never comes into question, or a rule that asks for several in question."),
    "init": Kind("Nothing holds at the start."),
    "ruling": Kind("A rule reads a ruling that the manifest does not have."),
    "value": Kind("A rule reads a value that the ruling does not have."),
    "start": Kind("A rule reads a start tag, or a value of one, that the manifest does not have."),
    "lasting": Kind("What holds of the whole game depends on the position or on what is done."),
    "things": Kind("What sets are made of does not have the places 1, 2 ... each once."),
    "invariant": Kind("An invariant has no plain name, or one that the engine has for what is its own."),
    "loop": Kind("Predicates depend on themselves through 'not' or a sum."),
    "endless": Kind("A rule makes ever new numbers."),
    "unsafe": Kind("A variable is bound by no positive atom."),
    "constant": Kind("A rule reads or adds a term that can never be there.", refuses=False),
    "why": Kind("A sentence names a variable that no rule behind it has, or has a condition that cannot be read.", refuses=False),
    "unlisted": Kind("A program of the folder is named nowhere in the manifest.", refuses=False),
    "needs": Kind("A file of the engine reads what the rulebook does not say.", refuses=False),
    "cell": Kind("A cell, a row or a column of a drawing has no place in a table.", refuses=False),
    "picture": Kind("A picture rule names what the drawing does not know, or something would be drawn wrong.", refuses=False),
    "wordless": Kind("A term of a drawing has no words: it would be shown as it is written.", refuses=False),
    "aimless": Kind("No effect reads an action: it changes nothing, or its arguments mean nothing.", refuses=False),
    "slow": Kind("A rule is not compiled: the questions that need it are left to clingo.", refuses=False),
    "repeated": Kind("The same rule stands twice.", refuses=False),
    "idle": Kind("A step by which nothing happens, or that is never due.", refuses=False),
    "unused": Kind("A predicate is said and never read.", refuses=False),
    "exports": Kind("The manifest exports a predicate that nothing says.", refuses=False),
    "effect": Kind("A change follows from no action and no step.", refuses=False),
    "judging": Kind("A violation is of nothing that is in question, or is seen only once the action is done.", refuses=False),
    "collecting": Kind("A violation reads what other actions in question may say: lists and verdicts may differ.", refuses=False),
    "measure": Kind("A measure without a limit, or a limit without anything that counts.", refuses=False),
    "bound": Kind("A sum without a bound: open positions would take every value.", refuses=False),
    "ending": Kind("Nothing says when the game is over, or who has won.", refuses=False),
    "heading": Kind("A heading is of the wrong kind, or documents nothing.", refuses=False),
    "phrase": Kind("A phrase is of nothing that there is, or names a variable that its pattern lacks.", refuses=False),
}  # fmt: skip
"""All kinds of findings."""
