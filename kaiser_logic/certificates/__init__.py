"""Certificates: proofs of claims that can be checked without the prover.

Its modules:

    completion  the ground program of a question as clauses: Clark's completion
    lrat        checks a proof of unsatisfiability
    files       the files of certificates
    verify      checks a folder of certificates; shares no code with the prover
    write       writes a folder of certificates for what is proved; CaDiCaL gives the proofs
"""
