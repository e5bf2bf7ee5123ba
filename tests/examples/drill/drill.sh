# Needs $LAB, such as http://localhost:9000/lab, and $APP, the URL of your application.
# Fails if the application accepts a hostile login or refuses a valid one, or if none works at all.
curl -sS --fail-with-body "$LAB/drill?format=junit" -o drill.xml \
  -H 'Content-Type: application/json' \
  -d "{\"start\": \"$APP/\"}"
! grep '<failure' drill.xml
