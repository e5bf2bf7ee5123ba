curl localhost:9000/lab/tokens -H 'Content-Type: application/json' -d '{"sub":"alice","scope":"openid read","expiresIn":"10m"}'
curl localhost:9000/lab/faults -H 'Content-Type: application/json' -d '{"name":"token.server_error","times":1}'
curl localhost:9000/lab/clock  -H 'Content-Type: application/json' -d '{"advance":"1h"}'
curl localhost:9000/lab/responses -H 'Content-Type: application/json' -d '{"at":"userinfo","status":401,"times":2}'
curl localhost:9000/lab/faults -H 'Content-Type: application/json' -d '{"name":"token.claims","client":"demo-web","claims":{"roles":["admin"]},"times":1}'
curl localhost:9000/lab/values -H 'Content-Type: application/json' -d '{"code":"abc","accessToken":["first-token","second-token"]}'
curl localhost:9000/lab/codes  -H 'Content-Type: application/json' -d '{"user":"alice","client":"demo-spa"}'
curl localhost:9000/lab/faults -H 'Content-Type: application/json' -d '{"name":"userinfo.changed","merge":{"email":null,"tier":"gold"},"times":1}'
curl localhost:9000/lab/settings -H 'Content-Type: application/json' -d '{"lifetimes":{"code":"5s"}}'
curl localhost:9000/lab/tenants -H 'Content-Type: application/json' -d '{"id":"acme","issuer":"http://acme.localhost:9000/","reuse":true}'
curl localhost:9000/lab/report
curl -X POST localhost:9000/lab/reset -H 'Content-Type: application/json' -d '{}'   # restores the initial state: clock, faults, records
