"""Tests of the client and of the server beside this file, against a lab."""
import sys
from pathlib import Path

# The plugin that gives each test an issuer. Copy it beside this file.
sys.path.insert(0, str(Path(__file__).parents[2] / "pytest"))
pytest_plugins = ["pytest_hallpass"]
