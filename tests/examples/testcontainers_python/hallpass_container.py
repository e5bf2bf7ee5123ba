"""A lab in a container, at the same address for the tests, the browser and its own tokens. Copy it."""
import json
import secrets
from typing import Any

from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import LogMessageWaitStrategy


class HallpassContainer(DockerContainer):
    """Starts a lab with what a configuration file would hold: `HallpassContainer("hallpass", signIn="alice")`."""

    def __init__(self, image: str, port: int = 9000, **configuration: Any) -> None:
        super().__init__(image)
        self.issuer = f"http://localhost:{port}"
        # What calls of the lab's interface need: `Authorization: Bearer TOKEN`.
        self.lab_token = secrets.token_urlsafe()
        self.with_bind_ports(port, port)
        self.with_envs(
            HALLPASS_CONFIG_JSON=json.dumps({"issuer": self.issuer, **configuration}),
            HALLPASS_PORT=str(port),
            HALLPASS_HOST="0.0.0.0",
            HALLPASS_EXPOSE="yes",
            HALLPASS_LAB_TOKEN=self.lab_token,
        )
        self.waiting_for(LogMessageWaitStrategy("hallpass ready "))
