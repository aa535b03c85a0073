"""`python -m recollect` is the command line."""

import sys

from recollect.faces.cli import main

sys.exit(main())
