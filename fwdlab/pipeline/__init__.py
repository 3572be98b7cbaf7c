"""From a plan to GitLab's jobs: what runs now, as which jobs, within which limits.

The way through, for `fwdlab pipeline`:

    surroundings_of(environment)              surroundings.py  who asks, and what a change is held against
    cases_at(commit, asked)                   target.py        the cases of that commit
    changes(cases, before)                    changes.py       what of each case is not as it was
    decide(cases, campaigns, request, known)  decide.py        which cases run, which do not, and why
        counterparts(campaigns)               counterparts.py  what each is compared with, and so measured with
    children(plan, machines, setting)         child.py         the pipelines as text, one or one a machine
        placed(plan, machines)                jobs.py          jobs, stages and timeouts, from the tasks of `run`
        size_of(text)                         limits.py        what GitLab counts of it
    decision_lines(...)                       words.py         all of that for people

Beside it, for `fwdlab runner`: runner_of(machines, name), runner.py, the runner that a machine's jobs wait for.

Only target and the reading of templates (templates.py) touch files and processes.
"""
