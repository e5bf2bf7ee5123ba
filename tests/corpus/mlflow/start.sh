#!/bin/sh
# MLflow with mlflow-oidc-auth 7.24.0, and what `hallpass client add --app` prints for its environment.
set -ea
. "$LINES"
OIDC_USERS_DB_URI="sqlite:///$RUN/users.db"
set +a
exec .venv/bin/mlflow server --app-name oidc-auth --host localhost --port "$PORT" \
  --backend-store-uri "sqlite:///$RUN/mlflow.db" --artifacts-destination "$RUN/artifacts" --workers 1
