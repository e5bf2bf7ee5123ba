#!/bin/sh
# Matrix Synapse 1.163.2 with what `hallpass client add --app` prints for its homeserver.yaml.
set -e
cat >"$RUN/homeserver.yaml" <<CONFIG
server_name: localhost
public_baseurl: $BASE_URL/
listeners:
  - port: $PORT
    type: http
    bind_addresses: ["127.0.0.1", "::1"]
    resources: [{ names: [client] }]
    additional_resources:
      /account: { module: account.Account, config: { base: "$BASE_URL" } }
database: { name: sqlite3, args: { database: ":memory:" } }
log_config: $RUN/log.yaml
media_store_path: $RUN/media
signing_key_path: $RUN/signing.key
macaroon_secret_key: a-secret-of-the-test
form_secret: a-secret-of-the-test
report_stats: false
suppress_key_server_warning: true
trusted_key_servers: []
sso: { client_whitelist: ["$BASE_URL/"] }
CONFIG
printf 'version: 1\nhandlers: { console: { class: logging.StreamHandler } }\nroot: { level: WARNING, handlers: [console] }\n' >"$RUN/log.yaml"
export PYTHONPATH="$PWD"
.venv/bin/python -m synapse.app.homeserver -c "$RUN/homeserver.yaml" --generate-keys
exec .venv/bin/python -m synapse.app.homeserver -c "$RUN/homeserver.yaml" -c "$LINES"
