import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { describe, it } from "node:test";
import { type EvaluateOptions, hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { memoryStore } from "../../../../src/server/store/memory.ts";
import type { Store } from "../../../../src/server/store/store.ts";
import { testClient } from "../../../support/test_client.ts";
import { hasFeature, needs } from "../../../support/where_feature.ts";

const redirectUri = "https://app.example/callback";
const redirectUris = [redirectUri];
const scopes = ["openid", "profile", "email", "groups", "offline_access", "read"];
const resources = ["https://api.example"];
const clientSecret = "a-secret-of-the-client-with-32-bytes";
const users = [
  { name: "zoe", claims: { name: "Zoe", email: "z@b.example", groups: ["a"], plan: "pro" } },
  { name: "max", sub: "number-2", claims: { name: "Max" } },
];
/** Signs fast: what is compared are claims. */
const alg = "EdDSA";
const common = { redirectUris, idTokenAlg: alg } as const;
const clients = [
  { ...common, id: "plain" },
  { ...common, id: "pairwise", subjectType: "pairwise" as const },
  { ...common, id: "claims", claims: { idToken: ["plan"], accessToken: ["email"] } },
  { ...common, id: "opaque", accessTokenFormat: "opaque" as const },
  { ...common, id: "short", grantTypes: ["authorization_code"] },
  { ...common, id: "logout", postLogoutRedirectUris: ["https://app.example/"] },
  { id: "secret", secret: clientSecret, redirectUris, idTokenAlg: "HS256" as const },
];

const configurations = {
  "plain settings": {},
  "minimal ID tokens": { idTokenClaims: "minimal" as const },
  "a claims policy": { policies: { claims: () => ({ tier: "gold", name: "Z." }) } },
  "a scope policy": {
    policies: {
      scope: (_user: unknown, _client: unknown, scope: readonly string[]) =>
        scope.filter((token) => token !== "email"),
    },
  },
  "claims of scopes": {
    scopes: { openid: "Sign in", read: { text: "Read", claims: { accessToken: ["plan"] } } },
  },
};

const requests: Array<Omit<EvaluateOptions, "user" | "client"> & { scope: string }> = [
  { scope: "openid" },
  { scope: "read" },
  { scope: "openid profile email groups read" },
  { scope: "openid email offline_access", prompt: "consent" },
  { scope: "openid offline_access", acrValues: "urn:hallpass:two-factor" },
  { scope: "openid read", resource: "https://api.example" },
  { scope: "openid", claims: { userinfo: { email: null }, id_token: { name: null } } },
];

/** What differs each time that tokens are issued. */
const fresh = ["jti", "iat", "exp", "auth_time", "nonce", "at_hash", "sid"];

function lasting(claims: Record<string, unknown> | undefined): Record<string, unknown> {
  const entries = Object.entries(claims ?? {}).filter(([name]) => !fresh.includes(name));
  return Object.fromEntries(entries);
}

interface Outcome {
  error?: string | undefined;
  access?: Record<string, unknown>;
  id?: Record<string, unknown>;
  userinfo?: Record<string, unknown>;
  hasRefresh?: boolean;
}

/** Plays the flow on the pages of the lab. */
async function play(lab: TestLab, asked: EvaluateOptions): Promise<Outcome> {
  const { user = "", client: client_id = "", scope, prompt, acrValues, resource, claims } = asked;
  const secret = client_id === "secret" && { client_secret: clientSecret };
  const client = testClient({ client_id, redirect_uri: redirectUri, ...secret });
  const { code, error } = await client.authorize(lab, {
    ...{ scope, prompt, acr_values: acrValues, resource },
    claims: claims && JSON.stringify(claims),
  }, { user });
  if (code === undefined) return { error };
  const { body: tokens } = await client.redeem(lab, code);
  const known = await client.userinfo(lab, tokens.access_token);
  const isJwt = tokens.access_token.includes(".");
  return {
    ...isJwt && { access: lasting(decodeJwt(tokens.access_token)) },
    id: lasting(tokens.id_token ? decodeJwt(tokens.id_token) : {}),
    userinfo: known.status === 200 ? lasting({ ...known.body }) : {},
    hasRefresh: tokens.refresh_token !== undefined,
  };
}

async function evaluated(lab: TestLab, asked: EvaluateOptions): Promise<Outcome> {
  const { refusal, access_token, id_token, userinfo, refresh_token } = await lab.evaluate(asked);
  if (refusal) return { error: refusal.error };
  return {
    ...access_token.format === "jwt" && { access: lasting(access_token.claims) },
    id: lasting(id_token.claims),
    userinfo: lasting(userinfo.claims),
    hasRefresh: refresh_token.comes,
  };
}

/** Counts what is written. */
function countWrites(store: Store): { store: Store; writes: () => number } {
  let count = 0;
  const counted = {
    ...store,
    put: (...all: Parameters<Store["put"]>) => (count++, store.put(...all)),
    add: (...all: Parameters<Store["add"]>) => (count++, store.add(...all)),
    consume: (...all: Parameters<Store["consume"]>) => (count++, store.consume(...all)),
    delete: (...all: Parameters<Store["delete"]>) => (count++, store.delete(...all)),
    sweep: (...all: Parameters<Store["sweep"]>) => (count++, store.sweep(...all)),
  };
  return { store: counted, writes: () => count };
}

describe("An evaluation", () => {
  // Any three of configuration, request, client and user meet.
  for (const [row, [name, configuration]] of Object.entries(configurations).entries()) {
    for (const [column, asked] of requests.entries()) {
      it(`equals a flow with ${name}, for ${JSON.stringify(asked)}`, async () => {
        const some = "scopes" in configuration ? clients.slice(0, 2) : clients;
        await using lab = await hallpass({
          alg,
          scopes,
          users,
          clients: some,
          resources,
          ...configuration,
        });
        for (const [at, { id: client }] of some.entries()) {
          const user = (row + column + at) % 2 === 0 ? "zoe" : "max";
          const each = { ...asked, user, client };
          assertEquals(await evaluated(lab, each), await play(lab, each), `${user}, ${client}`);
        }
      });
    }
  }

  it(
    "changes nothing: no row, record, fault, hook or queued response",
    needs("hooks", "faults"),
    async () => {
      const { store, writes } = countWrites(memoryStore());
      await using lab = await hallpass({ store, scopes, users, clients });
      lab.fault("id_token.wrong_nonce", { times: 1 });
      lab.next("userinfo", { status: 503 });
      const hook = lab.on("id_token", ({ claims }) => void (claims.hooked = true), { times: 1 });
      const added = lab.addClaims({ roles: ["admin"] });
      lab.signIn("max", { times: 1 });
      await lab.mint({ sub: "zoe", client: "plain", scope: "openid" });
      const seen = () => ({
        writes: writes(),
        requests: lab.requests(),
        flows: lab.flows(),
        faults: lab.faults.list().map(({ name, met, fired }) => ({ name, met, fired })),
        hooks: [hook, added].map(({ met, fired }) => ({ met, fired })),
        time: lab.clock.now(),
        ...hasFeature("report") && { report: lab.report() },
      });
      lab.clock.freeze();
      const before = JSON.stringify(seen());
      for (const grant of ["authorization_code", "refresh_token"] as const) {
        const { id_token } = await lab.evaluate({
          user: "zoe",
          client: "plain",
          scope: "openid",
          grant,
        });
        assertEquals(id_token.claims.roles, ["admin"]);
        assertEquals(grant === "refresh_token" || id_token.claims.hooked, true);
      }
      assertEquals(JSON.stringify(seen()), before);
    },
  );

  it("draws nothing from the seed of the lab", async () => {
    const refreshTokens: Array<string | undefined> = [];
    for (const evaluates of [false, true]) {
      await using lab = await hallpass({ seed: 1, scopes, users, clients });
      if (evaluates) await lab.evaluate({ user: "zoe", client: "plain", scope: "openid" });
      const { refresh_token } = await lab.mint({
        sub: "zoe",
        client: "plain",
        scope: "openid offline_access",
      });
      refreshTokens.push(refresh_token);
    }
    assertEquals(refreshTokens[0], refreshTokens[1]);
  });
});
