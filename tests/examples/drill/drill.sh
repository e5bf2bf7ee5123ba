# Needs $LAB, such as http://localhost:9000/lab, and $APP, the URL of your application.
# START begins a login. CHECK opens only for someone who is signed in: name one, such as /account,
# if START always begins a login, such as /login.
# Fails if an attack works: a finding with the letter F or D. Fails as well if no login works.
set -e
START=${START:-/} CHECK=${CHECK:-${START:-/}}
curl -sS --fail-with-body "$LAB/drill?format=junit" -o drill.xml \
  -H 'Content-Type: application/json' \
  -d "{\"start\": \"$APP$START\", \"check\": \"$APP$CHECK\"}"
if grep '<failure' drill.xml; then exit 1; fi
