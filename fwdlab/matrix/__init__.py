"""From the file an operator edits to the cases it asks for: load, check, expand, resolve, plan.

The way through, for a command that measures:

    matrix = load_matrix(path)                       load.py      one MatrixError with every fault of the file
    matrix = quick_of(matrix)                        expand.py    the small round, where --quick was said
    cases = resolved_cases(matrix, runner_scripts)   resolve.py   exact packages; asks the lab's archive
    cases = only(cases, pattern)                     expand.py    where --only was said
    history = history_of(results, cases)             measured.py  what earlier runs left
    plan = make_plan(matrix, cases, history)         plan.py      repeats, lab time, campaigns, notes
    refuse_above(plan, cap_s)                        plan.py      MatrixError above the cap
    for turns in schedule(plan): ...                 plan.py      rounds of boots that are left, shuffled by the seed

Only load, resolve and measured touch files and processes; everything else takes values and gives values.
"""
