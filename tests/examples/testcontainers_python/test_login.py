"""Our CI has no Docker. It checks the types of this test, and runs the container with the binary."""
import json
import os
from collections.abc import Iterator
from urllib.request import Request, urlopen

import pytest
from hallpass_container import HallpassContainer


@pytest.fixture(scope="session")
def lab() -> Iterator[HallpassContainer]:
    shop = {"id": "shop", "redirectUris": ["http://localhost:3000/callback"]}
    port = int(os.environ.get("LAB_PORT", 9000))
    with HallpassContainer("hallpass", port, clients=[shop], signIn="alice") as lab:
        yield lab


def test_starts_at_the_address_that_its_metadata_names(lab: HallpassContainer) -> None:
    with urlopen(f"{lab.issuer}/.well-known/openid-configuration") as response:
        assert json.load(response)["issuer"] == lab.issuer


def test_has_a_token_for_its_interface(lab: HallpassContainer) -> None:
    users = Request(f"{lab.issuer}/lab/users", headers={"Authorization": f"Bearer {lab.lab_token}"})
    with urlopen(users) as response:
        assert json.load(response)
