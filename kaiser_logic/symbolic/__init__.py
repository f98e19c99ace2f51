"""Reading 2: an open position, any that the vocabulary allows under the invariants.

The rules become a transition relation from moment to moment; the solver looks for a position and a move with a property,
and where it finds none, there is none.

Its modules:

    names               what predicates are called in an encoding: one place makes such names, and reads them
    domains             the sorts of an open position: which fluents there can be, and up to where numbers run
    vocabulary_size     whether a vocabulary has too many facts to be listed
    sizes               what its counters can be: their largest and smallest values, and what lies between and is none
    numbers             which values of numbers without a limit a question needs, and why they are enough
    number_flow         these numbers followed through rules: with what they are compared
    offsets             what is known of such a number: what is added to a counter's value, or which other it is
    known_numbers       which numbers a place of a predicate can hold anyway
    encoding            the program that grows moment by moment
    encoded_transition  what an encoding keeps of a transition, so that nobody has to look into the program's text
    totals              conserved totals, followed from change to change; loose or exact
    measures            when following a total is exact: what it counts, and how that changes
    open_sets           names that stand in for sets of things, whose parts the solver chooses
    transitions         a game's transitions: kinds of action decided together, steps
    invariants          a game's invariants, and which of them a ruling waives
    programs            programs made of encodings, told nothing that no rule of theirs reads
    solver              an encoding grounded once and solved under assumptions, with limits counted in conflicts
    models              what a model says: facts and actions; as few pieces as can be found
"""
