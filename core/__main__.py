"""`python -m core`: the command line."""

from core.cli.app import main

if __name__ == "__main__":
    main()
