"""A checker of its own for what the prover says of a game: the base that has to be trusted.

It reads the rulebook's text, makes each question anew, and checks a proof of each answer. It shares no code with the rest
of the package but ``clingo`` (the module that imports clingo), ``wraparound``, and the exceptions. The prover, CaDiCaL, and
whoever wrote a certificate may be wrong: then a claim is not checked, but no false claim is.

What has to be trusted: clingo's parser and grounder (neither its printer nor its solver), the modules ``clingo`` and
``wraparound`` of the package, and these modules but `files` and `search`. In reading order:

    text         a rulebook's text as rules, and its settings as facts
    declared     what the rulebook declares, and the rules that follow: counters, pieces, totals, measures
    numbers      when small numbers stand for all
    sets         sets in actions: a name for each, and any parts
    program      the program of a transition, with the argument why it is right
    positions    the programs of claims about positions; the first position
    completion   the clauses of a ground program
    lrat         checks a proof of unsatisfiability
    verify       which questions there are, and when a claim is checked
    files        the folder of a certificate; what it gives is checked, or printed
    search       searches for proofs; need not be trusted

What the checker does with each construct of the contract of rulebooks (docs/write/rulebooks.md). "Not covered" means that
nothing is checked, or nothing of the question that has the construct:

* Texts with control characters, numbers beyond 32 bits and intervals up to 2,147,483,647 are not covered: not all readers take
  them for the same.
* Rules are taken as they are written. They have one positive head: constraints, choices, disjunctions, ``#const``, ``#show``,
  scripts and ``-p`` are not covered, nor is a predicate that depends on its own negation.
* game.toml: files, claims, engine, players, roles, rulings, tags and bound are read. The other keys do not concern proofs.
* The engine's files are taken as they are written, but the meaning of judge, legal, position and change is built in; with
  another text these are not covered.
* ``fluent``: the facts of an open position. A rule for a fluent is not covered.
* ``number``: in ``fluent(c(..,N)) :- number(N), ..`` of a counter, see `numbers`; elsewhere not covered.
* ``counted``, ``stated``, ``signed``, ``unit``, ``gain``, ``lose``, ``shift``, ``add``, ``del``: see `declared`, `program`.
* ``step``, ``decision``, ``simultaneous``, ``action``: the transitions. A game goes on by actions of roles that have a decision,
  so ``out_of_turn`` and ``implausible`` do not matter. Arguments of actions that depend on the position are not covered.
* ``candidate``: judged, the submitted action; as the move generator, the claim ``enumeration``. It is not checked of a generator
  that depends on what is chosen, nor where a candidate is judged by others. ``too_many`` does not matter.
* ``violates``: an action that violates something is not legal.
* ``counts``, ``limit``, ``range``, ``total``, ``bound``: see `program` and `positions`.
* ``init``: the first position.
* ``broken``, ``waived``: invariants; waived ones are asked, but not assumed. ``presumed`` ones are like others. A rulebook
  with an invariant that depends on what is done is not covered.
* ``wrong``, ``then``, ``more``: claims about moves. ``then`` and ``more`` in other rules are not covered.
* ``never QUERY`` is a rule for ``broken``, which is printed. ``some QUERY`` and queries about legal moves are not checked.
* Board files are not covered.
* ``goal``, ``winner``, ``terminal``, ``weight``, ``conceals``, ``instead``: rules like others; most are in no question.
* Sets (``engine = ["sets"]``): see `sets`. Rules that see more of a set than its parts are not covered.
* Structures in actions are not covered but where all actions can be listed.
"""
