#!/bin/sh
# Keycloak 26.4.5 as a broker, with what `hallpass client add --app` prints for its identity provider.
set -e
mkdir -p keycloak-26.4.5/data/import
node realm.mjs "$LINES" >keycloak-26.4.5/data/import/lab.json
exec keycloak-26.4.5/bin/kc.sh start-dev --db=dev-mem --import-realm --http-port="$PORT" \
  --hostname="$BASE_URL" --cache=local
