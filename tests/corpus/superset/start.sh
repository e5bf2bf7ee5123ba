#!/bin/sh
# Apache Superset 6.1.0 with what `hallpass client add --app` prints for its superset_config.py.
set -e
cat >>"$LINES" <<CONFIG
AUTH_ROLES_MAPPING["staff"] = ["staff"]
SECRET_KEY = "a-secret-of-the-test-with-more-than-42-letters-in-it"
SQLALCHEMY_DATABASE_URI = "sqlite:///$RUN/superset.db"
TALISMAN_ENABLED = False
RATELIMIT_ENABLED = False
CONFIG
export SUPERSET_CONFIG_PATH="$LINES" SUPERSET_HOME="$RUN" FLASK_APP="superset.app:create_app()"
.venv/bin/superset db upgrade
.venv/bin/superset init
.venv/bin/superset fab create-role staff 2>/dev/null ||
  .venv/bin/python -c 'from superset.app import create_app
app = create_app()
with app.app_context(): app.appbuilder.sm.add_role("staff")'
exec .venv/bin/gunicorn -b "localhost:$PORT" --timeout 120 "superset.app:create_app()"
