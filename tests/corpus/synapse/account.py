# A Matrix client on a page: it signs in by Synapse, and shows what Synapse knows about its user.
import json
from urllib.parse import quote


class Account:
    def __init__(self, config, api):
        self.client, self.base = api.http_client, config["base"]

    @staticmethod
    def parse_config(config):
        return config

    async def handle_request(self, request):
        token = (request.getCookie(b"token") or b"").decode()
        if b"loginToken" in request.args:
            login = {"type": "m.login.token", "token": request.args[b"loginToken"][0].decode()}
            session = await self.client.post_json_get_json(self.at("v3/login"), login)
            token = session["access_token"]
            request.addCookie("token", token)
        known = await self.known(token) if token else None
        if known is None:
            page = quote(f"{self.base}/account", safe="")
            request.redirect(self.at(f"v3/login/sso/redirect/oidc-hallpass?redirectUrl={page}"))
        else:
            request.write(json.dumps(known).encode())
        request.finish()

    async def known(self, token):
        headers = {b"Authorization": [f"Bearer {token}".encode()]}
        try:
            who = await self.client.get_json(self.at("v3/account/whoami"), headers=headers)
            user = who["user_id"]
            return [
                user.removeprefix("@").removesuffix(":localhost"),
                await self.client.get_json(self.at(f"v3/profile/{user}")),
                await self.client.get_json(self.at("v3/account/3pid"), headers=headers),
            ]
        except Exception:
            return None

    def at(self, path):
        return f"{self.base}/_matrix/client/{path}"
