"""``python -m dqgen`` is the same program as the ``dqgen`` command."""

from dqgen.cli import main

if __name__ == "__main__":
    main()
