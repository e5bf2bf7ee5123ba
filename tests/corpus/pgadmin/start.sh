#!/bin/sh
# pgAdmin 4 9.18 with what `hallpass client add --app` prints for its config_local.py.
set -e
cat >>"$LINES" <<CONFIG
DATA_DIR = "$RUN"
DEFAULT_SERVER = "localhost"
DEFAULT_SERVER_PORT = $PORT
CONFIG
export PGADMIN_SETUP_EMAIL=admin@example.org PGADMIN_SETUP_PASSWORD=a-password-of-the-test
export PYTHONPATH="$RUN"
exec .venv/bin/python .venv/lib/python3.*/site-packages/pgadmin4/pgAdmin4.py
