# Authlib 1.9.10 in FastAPI, by its documentation, "FastAPI OAuth Client" and the demo for Google login.
import html
import os

import uvicorn
from authlib.integrations.starlette_client import OAuth, OAuthError
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.middleware.sessions import SessionMiddleware

app = FastAPI()
app.add_middleware(SessionMiddleware, secret_key="!secret")
oauth = OAuth()
oauth.register(
    name="lab",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=os.environ["ISSUER"] + "/.well-known/openid-configuration",
    client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256"},
)


@app.get("/")
async def homepage(request: Request):
    user = request.session.get("user")
    if user:
        name = html.escape(user["name"])
        return HTMLResponse(f'<pre>{name}</pre><a href="/logout">logout</a>')
    return HTMLResponse('<a href="/login">login</a>')


@app.get("/login")
async def login(request: Request):
    return await oauth.lab.authorize_redirect(request, request.url_for("auth"))


@app.get("/auth")
async def auth(request: Request):
    try:
        token = await oauth.lab.authorize_access_token(request)
    except OAuthError as error:
        return HTMLResponse(f"<h1>{html.escape(error.error)}</h1>", 400)
    request.session["user"] = dict(token["userinfo"])
    return RedirectResponse("/")


@app.get("/logout")
async def logout(request: Request):
    request.session.pop("user", None)
    return RedirectResponse("/")


uvicorn.run(app, host="localhost", port=int(os.environ["PORT"]), log_level="warning")
