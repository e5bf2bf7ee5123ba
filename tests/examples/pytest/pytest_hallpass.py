"""A pytest plugin: an issuer of its own for each test, in one lab for all of them. Copy it.

Fixtures: `hallpass` is the issuer of a test. Mark a test with its settings, those of a tenant:
`@pytest.mark.hallpass(clients=[…], users=[…])`. HALLPASS_URL and HALLPASS_LAB_TOKEN name a lab
that is already running.
"""
import json
import os
import subprocess
import sys
import threading
from contextlib import contextmanager, nullcontext
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "hallpass(**settings): the settings of the issuer of a test")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Prints what the lab saw below a test that failed by itself, which does not know why."""
    report = (yield).get_result()
    issuer = getattr(item, "funcargs", {}).get("hallpass")
    if report.when == "call" and report.failed and issuer:
        why = issuer.explain()
        if why.split("\n")[0] not in report.longreprtext:
            report.sections.append(("What the lab saw", why))


class Issuer:
    """An issuer, with the powers of its lab. GET /lab/openapi.json lists them."""

    wants_clean = False  # whether a test has asked for a clean report

    def __init__(self, url, lab=None):
        self.url = url
        self.lab_url = lab or f"{url}/lab"

    def lab(self, path, method="POST", **body):
        """Calls the lab: `hallpass.lab("/clock", advance="2h")`."""
        return _call(method, f"{self.lab_url}{path}", None if method in ("GET", "DELETE") else body)

    def mint(self, sub, **options):
        """Returns a token response, without a flow."""
        return self.lab("/tokens", sub=sub, **options)

    def authorize(self, url, user="alice"):
        """Signs a user in at an authorization URL, gives consent, and returns the callback."""
        return self.lab("/authorize", url=url, user=user)["callback"]

    def assert_clean(self, **options):
        """Fails if the client under test broke a rule; with `refused=True`, also if it was refused."""
        Issuer.wants_clean = True
        __tracebackhide__ = True
        if why := self._why_unclean(options):
            raise AssertionError(why)

    def explain(self):
        """Returns what was refused, with rule, request, fix and diagram, or else the newest flows."""
        try:
            return self._why_unclean({"refused": True}) or _fetch("GET", f"{self.lab_url}/flows", "text/plain")
        except OSError as error:
            return f"The lab does not respond: {error}"

    def _why_unclean(self, options):
        try:
            _fetch("POST", f"{self.lab_url}/assert-clean", "text/plain", options)
        except HTTPError as error:
            return error.read().decode()


@pytest.fixture(scope="session")
def hallpass_server():
    """A lab that is already running, or one for these tests. Its last step is to ask for its report."""
    url = os.environ.get("HALLPASS_URL")
    with nullcontext(url) if url else start_lab() as url:
        yield url
        report = _call("GET", f"{url}/lab/report")
        # A clean report shows something only if the application reached the lab.
        assert report["reached"] or not Issuer.wants_clean, report["problem"]


@contextmanager
def start_lab(*options, folder=None):
    """Starts a lab with options of the command line, and ends it. It writes to the folder, if at all."""
    command = ["hallpass", "lab", "--port", "0", *options]
    if sys.platform != "win32":  # which does not show that pytest was killed
        command.append("--with-parent")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as process:
        ready = next((line for line in process.stdout if line.startswith("hallpass ready")), None)
        assert ready, "hallpass ended before it was ready"
        # A full pipe would stop the lab.
        threading.Thread(target=process.stdout.read, daemon=True).start()
        try:
            yield ready.split()[-1]
        finally:
            process.terminate()


@pytest.fixture
def hallpass(request, hallpass_server):
    """An issuer for one test, so that tests can run in parallel and move their own clocks."""
    mark = request.node.get_closest_marker("hallpass")
    tenant = _call("POST", f"{hallpass_server}/lab/tenants", mark.kwargs if mark else {})
    yield Issuer(tenant["issuer"], tenant["lab"])
    _call("DELETE", f"{hallpass_server}/lab/tenants/{tenant['id']}")


def _call(method, url, body=None):
    try:
        return json.loads(_fetch(method, url, "application/json", body))
    except HTTPError as error:
        raise AssertionError(json.load(error)["error_description"]) from error


def _fetch(method, url, accept, body=None):
    headers = {"Accept": accept, "Content-Type": "application/json"}
    if token := os.environ.get("HALLPASS_LAB_TOKEN"):
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers, method=method)) as response:
        return response.read().decode()
