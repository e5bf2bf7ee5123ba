# JupyterHub 6.1.1 with oauthenticator 17.4.0: what `hallpass client add --app` prints for its
# configuration, the note below it, and what a hub on one machine needs.
import os
import socket

c = get_config()  # noqa: F821

with open(os.environ["LINES"]) as lines:
    exec(lines.read())

c.Authenticator.enable_auth_state = True  # with JUPYTERHUB_CRYPT_KEY


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


port = os.environ["PORT"]
c.JupyterHub.bind_url = f"http://localhost:{port}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{free_port()}"
# It is a daemon, which ends with the hub, however that ends.
c.ConfigurableHTTPProxy.command = [
    "sh",
    "-c",
    f'"$0" "$@" & while kill -0 {os.getpid()}; do sleep 1; done 2>/dev/null; kill $!',
    f"{os.getcwd()}/node_modules/.bin/configurable-http-proxy",
]
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{free_port()}"
c.ConfigurableHTTPProxy.pid_file = f"{os.environ['RUN']}/proxy.pid"
c.JupyterHub.db_url = "sqlite:///:memory:"
c.JupyterHub.cookie_secret_file = f"{os.environ['RUN']}/cookie_secret"
c.JupyterHub.pid_file = f"{os.environ['RUN']}/pid"
c.JupyterHub.spawner_class = "simple"
c.JupyterHub.services = [{"name": "test", "api_token": "a-token-of-the-test-with-letters"}]
c.JupyterHub.load_roles = [
    {"name": "reader", "services": ["test"], "scopes": ["read:users", "admin:auth_state"]}
]
