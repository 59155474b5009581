"""What the programs say of themselves: a line for each thing that held, and the end at the first that did not."""

import sys


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f'{what}: {found!r} instead of {wanted!r}')
    print(f'held: {what}')
