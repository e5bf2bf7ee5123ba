import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass } from "../../src/lab/testing/mod.ts";
import type { CorePathsConfig } from "../../src/server/config/paths_config.ts";
import type { PathsConfig } from "../../src/server/features.ts";
import { createServer } from "../../src/server/mod.ts";
import { fixturesOf } from "../features.ts";
import { openKit, openLabKit, openStrictKit } from "../support/kit.ts";
import { authorizationUrl } from "../support/login.ts";
import { hasFeature, needs } from "../support/where_feature.ts";

const issuer = "https://id.example";

/** The paths of another provider. */
const paths: PathsConfig & Required<CorePathsConfig> = {
  authorize: "/authorize",
  token: "/oauth/token",
  jwks: "/.well-known/jwks.json",
  userinfo: "/userinfo",
  interaction: "/u/login",
  ...fixturesOf("paths"),
};

const fields: Record<string, string> = {
  authorization_endpoint: "authorize",
  token_endpoint: "token",
  jwks_uri: "jwks",
  userinfo_endpoint: "userinfo",
  ...fixturesOf("endpointFields"),
};

describe("Configured paths of endpoints", () => {
  for (const base of ["", "/tenant"]) {
    it(`are in the metadata of an issuer with the path '${base}', and each one is served`, async () => {
      await using lab = await hallpass({ issuer: issuer + base, paths });
      const metadata = await (await lab.fetch(
        `${lab.issuer}/.well-known/openid-configuration`,
      )).json();
      for (const [field, name] of Object.entries(fields)) {
        assertEquals(
          metadata[field],
          `${issuer}${base}${new Map(Object.entries(paths)).get(name)}`,
        );
      }
      const { interaction: _, ...endpoints } = paths;
      for (const [name, path] of Object.entries(endpoints)) {
        const response = await lab.fetch(`${lab.issuer}${path}`, { redirect: "manual" });
        assert(response.status !== 404, name);
        await response.body?.cancel();
      }
      assertEquals((await lab.fetch(`${lab.issuer}/oauth2/token`)).status, 404);
    });
  }

  it("are served by a server without a lab as well, and the others stay where they are", async () => {
    const kit = openStrictKit({ paths: { jwks: paths.jwks } });
    assertEquals((await kit.get(paths.jwks)).status, 200);
    assertEquals((await kit.get("/oauth2/jwks")).status, 404);
    assertEquals((await kit.post("/oauth2/token", {})).status, 401);
  });

  if (hasFeature("registration")) {
    it("lead registered clients", async () => {
      const kit = openLabKit({ paths });
      const registered = await (await kit.request("/oidc/register/", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ redirect_uris: ["https://app.example/cb"] }),
      })).json();
      assertEquals(
        registered.registration_client_uri,
        `${kit.issuer}/oidc/register/${registered.client_id}`,
      );
      const headers = { Authorization: `Bearer ${registered.registration_access_token}` };
      const shown = await kit.get(`/oidc/register/${registered.client_id}`, headers);
      assertEquals(shown.status, 200);
    });
  }

  it("are what a lab's faults, report and flows follow", needs("faults"), async () => {
    await using lab = await hallpass({ issuer, paths });
    lab.fault("token.server_error", { times: 1 });
    const url = authorizationUrl(lab).replace("/oauth2/authorize", "/authorize");
    const { callback } = await lab.authorize(url, { user: "alice" });
    const code = new URL(callback).searchParams.get("code") ?? "";
    const body = new URLSearchParams({ grant_type: "authorization_code", code });
    const response = await lab.fetch(`${issuer}/oauth/token`, { method: "POST", body });
    assertEquals(response.status, 500);
    assertEquals(lab.requests({ path: "/oauth/token" }).length, 1);
    assertEquals(lab.flows()[0]?.steps.map(({ what }) => what).at(-1), "redeemed");
  });

  it("are where users sign in and consent, and the lab follows", async () => {
    await using lab = await hallpass({ issuer, paths: { interaction: paths.interaction } });
    const url = authorizationUrl(lab);
    const { status, headers } = await lab.fetch(url, { redirect: "manual" });
    assertEquals(status, 303);
    assertMatch(headers.get("Location") ?? "", /^\/u\/login\/[\w-]+$/);
    assert((await lab.authorize(url, { user: "alice" })).parameters.code);
    const [, signedIn] = lab.flows();
    const steps = ["asked", "shown a page", "answered"];
    assertEquals([...new Set(signedIn?.steps.map(({ what }) => what))], steps);
    assert(signedIn?.steps.every(({ error }) => error === undefined));
  });

  it("are where a lab skips the consent page", async () => {
    await using lab = await hallpass({
      issuer,
      paths: { interaction: paths.interaction },
      consent: "skip",
    });
    await lab.authorize(authorizationUrl(lab), { user: "alice" });
    const requests = lab.requests().map(({ path }) => path.split("/").at(-1));
    assert(!requests.includes("consent"));
    assert(requests.includes("sign-in"));
  });

  it("lead an authorization request by POST to its GET", async () => {
    const kit = openKit({ paths });
    const query = new URL(kit.authorizationUrl()).searchParams;
    const response = await kit.post("/authorize", Object.fromEntries(query));
    assertMatch(response.headers.get("Location") ?? "", /^\/authorize\?client_id=demo-spa&/);
  });

  it("are where the lab's browser follows redirects, such as that of an application", async () => {
    const start = () => Response.redirect(authorizationUrl(lab).replace("/oauth2/", "/"), 302);
    await using lab = await hallpass({
      paths,
      routes: [{ method: "GET", path: "/oauth2/start", kind: "page", handler: start }],
    });
    const { code } = await lab.authorize(`${lab.issuer}/oauth2/start`, { user: "alice" });
    assert(code);
  });
});

describe("A path that cannot be served", () => {
  const rejected: Array<[what: string, paths: PathsConfig, problem: RegExp]> = [
    [
      "is the path of a page",
      { token: "/sign-out" },
      /paths\.token is '\/sign-out', which clashes/,
    ],
    ["is the home page", { authorize: "/" }, /paths\.authorize must be a path such as/],
    ["is that of another endpoint", { token: "/oauth2/jwks" }, /paths\.token .*with paths\.jwks/],
    [
      "is given twice",
      { userinfo: "/x", token: "/x" },
      /paths\.token .*paths\.userinfo\n.*paths\.userinfo .*with paths\.token/,
    ],
    ["lies below an interaction", { jwks: "/oauth2/interaction/keys" }, /with paths\.interaction/],
    ["is a metadata document", { jwks: "/.well-known/openid-configuration" }, /clashes/],
    ["belongs to a lab", { jwks: "/lab/report" }, /clashes with '\/lab/],
    ["has no slash", { jwks: "jwks.json" }, /paths\.jwks must be a path such as/],
    ["has a query", { jwks: "/jwks?x" }, /paths\.jwks must be a path such as/],
    ["has a placeholder", { jwks: "/:jwks" }, /paths\.jwks must be a path such as/],
    ["is normalized by clients", { jwks: "/a/../jwks" }, /paths\.jwks must be a path such as/],
    ["has an empty segment", { jwks: "//evil.example" }, /paths\.jwks must be a path such as/],
    ["is encoded", { jwks: "/%6Awks" }, /paths\.jwks must be a path such as/],
    ["has an unknown name", { tokens: "/x" } as PathsConfig, /tokens is not a setting.*'token'/],
  ];
  if (hasFeature("registration")) {
    const below = { token: "/oauth2/register/token" };
    rejected.push(["lies below the registration", below, /with paths\.register/]);
  }
  for (const [what, paths, problem] of rejected) {
    it(`${what}: it is a problem at the start`, () => {
      assertMatch(assertThrows(() => createServer({ issuer, paths }), Error).message, problem);
    });
  }

  it("takes the path that another endpoint has left", () => {
    const swapped = { token: "/oauth2/jwks", jwks: "/oauth2/token" };
    assertEquals(createServer({ issuer, paths: swapped }).issuer, issuer);
  });
});
