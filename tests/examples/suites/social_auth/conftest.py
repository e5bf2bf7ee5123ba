"""Tests of a library at the providers of a lab."""
import sys
from pathlib import Path

# The plugin that starts a lab.
sys.path.insert(0, str(Path(__file__).parents[2] / "pytest"))
pytest_plugins = ["pytest_hallpass"]
