# An API with PyJWT 2.15.1 in FastAPI, by PyJWT's documentation, "Retrieve RSA signing keys from a JWKS
# endpoint", and FastAPI's, "OAuth2 with Password (and hashing), Bearer with JWT tokens".
import os
from typing import Annotated

import jwt
import uvicorn
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

app = FastAPI()
keys = jwt.PyJWKClient(os.environ["ISSUER"] + "/oauth2/jwks")
bearer = HTTPBearer(auto_error=False)


def refuse(status, challenge):
    return HTTPException(status, headers={"WWW-Authenticate": challenge})


def claims(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]):
    if credentials is None:
        raise refuse(401, "Bearer")
    try:
        key = keys.get_signing_key_from_jwt(credentials.credentials)
        return jwt.decode(
            credentials.credentials,
            key,
            algorithms=["RS256"],
            audience=os.environ["AUDIENCE"],
            issuer=os.environ["ISSUER"],
            options={"require": ["exp", "iss", "aud", "sub"]},
        )
    except jwt.PyJWTError:
        raise refuse(401, 'Bearer error="invalid_token"') from None


@app.get("/orders")
def orders(token: Annotated[dict, Depends(claims)]):
    if "read" not in str(token.get("scope", "")).split():
        raise refuse(403, 'Bearer error="insufficient_scope", scope="read"')
    return {"orders_of": token["sub"]}


uvicorn.run(app, host="localhost", port=int(os.environ["PORT"]), log_level="warning")
