"""Totals that stay as they are, shown by the rules themselves where positions are too large to be opened.

What a transition gains and loses is read off its rules, which are unfolded until it stands there from which facts and actions
it comes; what comes of it is compared fact by fact, whatever their numbers. Only whether a rule fires is asked of the
program of positions known in part (:mod:`..symbolic.projected`).

Its modules:

    terms       terms with variables: read, shown, substituted, unified
    clauses     rules as clauses, definitions put in the places of what they define
    amounts     sums of products of numbers that are not known
    known       what determines what, and of which form loads are
    conditions  conditions as far as they are kept
    changes     what a transition gains, loses and shifts
    weights     what each counter and piece counts towards which measure
    carriers    what numbers that are left out are numbers of
    credit      what changes add to measures: nothing, for each fact that amounts depend on
    holding     nothing is lost that is not there, no piece comes twice
    forms       what is left out stays of the form that is known of it
    sums        sums that rules compare with a bound, and of which facts they are
    entries     what such sums consist of, for each thing that numbers are of
    reaching    that a sum reaches its bound after a transition
    comparing   what sums say of a position, whatever they sum up
    keeping     invariants that speak of what is left out
    vocabulary  the vocabulary's rules taken apart: what is left out of facts beside what is kept
    belonging   that every fact is of the vocabulary, whatever is left out of it
    books       all of that for one transition
"""
