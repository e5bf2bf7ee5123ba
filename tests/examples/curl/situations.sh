# LAB is the address of the lab: http://localhost:9000/lab
lab() { curl -sS --fail-with-body --json "$2" "$LAB$1"; }

# A token, without a login
lab /tokens '{"sub":"alice","scope":"read","claims":{"tier":"gold"}}' | jq -r .access_token

# Alice signs in at an authorization URL of my application, on the real pages
lab /authorize "{\"url\":\"$URL\",\"user\":\"alice\"}" | jq -r .callback

# Alice signs in and out: $SIGN_OUT is the URL that my application redirects her browser to
lab /authorize "{\"url\":\"$URL\",\"user\":\"alice\",\"browser\":\"hers\"}"
lab /sign-out "{\"url\":\"$SIGN_OUT\",\"browser\":\"hers\"}" | jq -r .location

# Users sign in without a page
lab /sign-in '{"user":"bob"}'

# My user has these roles
lab /faults '{"name":"token.claims","claims":{"roles":["admin"]}}'

# Two hours have passed
lab /clock '{"advance":"2h"}'

# The provider is down
lab /faults '{"name":"metadata.server_error"}'
lab /faults '{"name":"token.server_error"}'

# The provider is back
curl -sS -X DELETE $LAB/faults

# The key was rotated
lab /faults '{"name":"jwks.rotated","times":1}'

# Userinfo rejects the token, twice
lab /responses '{"at":"userinfo","status":401,"times":2}'

# Back-channel logout: all sessions of Alice end
token=$(lab /tokens '{"sub":"alice","client":"demo-web","kind":"logout"}' | jq -r .token)
curl -sS --fail-with-body -d "logout_token=$token" $APP/backchannel-logout

# An agent asks Alice over the back channel (CIBA), and she allows it
id=$(curl -sSu demo-agent:demo-agent-secret $ISSUER/oauth2/backchannel_authentication -d scope=openid -d login_hint=alice | jq -r .auth_req_id)
curl -sS $ISSUER/lab/approvals --json '{"user":"alice"}' | jq -c .
curl -sSu demo-agent:demo-agent-secret $ISSUER/oauth2/token -d grant_type=urn:openid:params:grant-type:ciba -d auth_req_id=$id | jq -r .access_token

# The next test begins
lab /reset '{}'
