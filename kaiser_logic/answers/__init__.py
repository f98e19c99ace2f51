"""Questions and answers as JSON: the explorer, the assistant's server and the command line print them.

A child process answers each question of a server, with a limit on memory and a deadline, because it may come from a stranger.

Its modules:

    question_reader  typed questions: reads JSON strictly, and repeats the question in the answer
    kinds            a kind of question, with its deadline; errors as answers
    questions        the questions of an assistant
    handlers         their answers: games, rules, legal, why, check, grep, find, prove, compare
    recorded         records and terms as questions give them
    worker           the child process that answers
    worker_pool      starts, asks and ends the child processes
"""
