import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import type { ClientConfig, Config } from "../../src/server/features.ts";
import { ConfigError } from "../../src/server/mod.ts";
import { openIdScopes } from "../../src/server/model/claims.ts";
import {
  basic,
  claimsOf,
  type Fields,
  type Kit,
  mcpProfile,
  openStrictKit,
} from "../support/kit.ts";
import { register } from "../support/registration.ts";
import { needs } from "../support/where_feature.ts";

const users = [{ name: "alice", password: "alice", claims: { groups: ["staff"] } }];
const redirectUris = ["https://hallpass.test/authorized"];
const asWeb = basic("web", "s");
const scope = "openid profile groups";

/** Opens a server as `serve` does, with a client that has a secret and one that has none. */
function openServer(changes: Partial<ClientConfig> = {}, config: Partial<Config> = {}): Kit {
  const web = { id: "web", secret: "s", redirectUris, ...changes };
  return openStrictKit({ users, clients: [web, { id: "spa", redirectUris }], ...config });
}

/** Who may be signed in. */
const asAlice = { password: "alice" };

async function tokensOfWeb(kit: Kit, changes: Fields = {}) {
  const code = await kit.code({ client_id: "web", scope, ...changes }, asAlice);
  return (await kit.redeem(code, { client_id: undefined }, asWeb)).body;
}

async function tokensOfSpa(kit: Kit) {
  const code = await kit.code({ client_id: "spa", scope }, asAlice);
  return (await kit.redeem(code, { client_id: "spa" })).body;
}

/** What an ID token and userinfo have about the user. */
async function known(kit: Kit, tokens: { id_token: string; access_token: string }) {
  const { body } = await kit.userinfo(tokens.access_token);
  return [claimsOf(tokens.id_token), body].map(({ preferred_username, groups }) =>
    [preferred_username, groups].flat().filter(Boolean).join(" ")
  );
}

describe("What an application learns by default", () => {
  it("O07 is the user name and the groups, in ID tokens of clients that authenticate", async () => {
    const kit = openServer();
    assertEquals(await known(kit, await tokensOfWeb(kit)), ["alice staff", "alice staff"]);
  });

  it("O07 is the same after a refresh", async () => {
    const kit = openServer();
    const { refresh_token } = await tokensOfWeb(kit);
    const { body } = await kit.refresh(refresh_token, { client_id: undefined }, asWeb);
    assertEquals(await known(kit, body), ["alice staff", "alice staff"]);
  });

  const minimal: Record<string, () => Kit> = {
    "for a client that is set so": () => openServer({ idTokenClaims: "minimal" }),
    "if the server is set so": () => openServer({}, { idTokenClaims: "minimal" }),
    "under the profile mcp": () => openServer({}, mcpProfile),
  };
  for (const [title, open] of Object.entries(minimal)) {
    it(`O07 is in userinfo alone ${title}`, async () => {
      const kit = open();
      assertEquals(await known(kit, await tokensOfWeb(kit)), ["", "alice staff"]);
    });
  }

  it("O07 is in userinfo alone for a public client, unless it is set otherwise", async () => {
    const kit = openServer();
    assertEquals(await known(kit, await tokensOfSpa(kit)), ["", "alice staff"]);
    const all = openServer({}, { idTokenClaims: "by-scope" });
    assertEquals(await known(all, await tokensOfSpa(all)), ["alice staff", "alice staff"]);
  });

  it("O07 is in userinfo alone for a client that registered", needs("registration"), async () => {
    const kit = openStrictKit({
      users,
      registration: { open: true, allow: { scopes: ["openid", "profile", "groups"] } },
    });
    const metadata = { redirect_uris: redirectUris, token_endpoint_auth_method: undefined };
    const { client_id, client_secret } = (await register(kit, metadata)).body;
    const code = await kit.code({ client_id, scope }, asAlice);
    const headers = basic(client_id, client_secret);
    const { body } = await kit.redeem(code, { client_id: undefined }, headers);
    assertEquals(await known(kit, body), ["", "alice staff"]);
  });

  it("is nothing of this if the server is hardened", async () => {
    const kit = openServer({}, { hardened: true });
    const tokens = await tokensOfWeb(kit, { scope: "openid profile" });
    assertEquals(await known(kit, tokens), ["", ""]);
    assertEquals((await kit.metadata()).scopes_supported?.includes("groups"), false);
  });

  it("needs the scopes profile and groups", async () => {
    const kit = openServer();
    assertEquals(await known(kit, await tokensOfWeb(kit, { scope: "openid email" })), ["", ""]);
  });
});

describe("The claim preferred_username (OpenID Connect Core, section 5.1)", () => {
  const named = (name: string, claims: object = {}) => ({
    users: [{ name, password: "alice", claims: { ...claims } }],
  });
  const sign = (kit: Kit, user: string, scope: string) =>
    kit.code({ client_id: "web", scope }, { user, password: "alice" });
  async function nameIn(kit: Kit, user: string, scope = "openid profile") {
    const { body } = await kit.redeem(
      await sign(kit, user, scope),
      { client_id: undefined },
      asWeb,
    );
    return claimsOf(body.id_token).preferred_username;
  }

  it("is that of the user if one was set", async () => {
    const kit = openServer({}, named("alice", { preferred_username: "ada" }));
    assertEquals(await nameIn(kit, "alice"), "ada");
  });

  it("is not the name for a client that must not recognize users of others", async () => {
    assertEquals(await nameIn(openServer({ subjectType: "pairwise" }), "alice"), undefined);
  });

  it("is an e-mail address only with the scope email", async () => {
    const kit = openServer({}, named("ada@example.org"));
    assertEquals(await nameIn(kit, "ada@example.org"), undefined);
    const withScope = await nameIn(kit, "ada@example.org", "openid profile email");
    assertEquals(withScope, "ada@example.org");
  });

  it("can be requested by name, without the value being set", async () => {
    const kit = openServer({ idTokenClaims: "minimal" });
    const claims = JSON.stringify({ id_token: { preferred_username: null } });
    const code = await kit.code({ client_id: "web", scope: "openid", claims }, asAlice);
    const { body } = await kit.redeem(code, { client_id: undefined }, asWeb);
    assertEquals(claimsOf(body.id_token).preferred_username, "alice");
  });

  it("cannot be the name of another user", async () => {
    const config = {
      users: [{ name: "ada" }, { name: "eve", claims: { preferred_username: "ada" } }],
    };
    await assertRejects(
      () => Promise.resolve().then(() => openServer({}, config)),
      ConfigError,
      "'eve' with the preferred_username of the user 'ada'",
    );
  });
});

describe("The scope groups", () => {
  const withGroups = (groups: unknown, config: Partial<Config> = {}) =>
    openServer({}, {
      users: [{ name: "alice", password: "alice", claims: { groups } }],
      ...config,
    });

  it("opens nothing if the operator gave that name to a scope that opens no claims", async () => {
    const scopes = { ...openIdScopes, groups: "Manage groups" };
    const kit = withGroups(["staff"], { scopes });
    assertEquals(await known(kit, await tokensOfWeb(kit)), ["alice", "alice"]);
  });

  it("opens what the operator chose for a scope of that name", async () => {
    const groups = { text: "Groups", claims: { userinfo: ["groups"] } };
    const kit = withGroups(["staff"], { scopes: { ...openIdScopes, groups } });
    assertEquals(await known(kit, await tokensOfWeb(kit)), ["alice", "alice staff"]);
  });

  it("opens no claim of a user without groups", async () => {
    const kit = withGroups([]);
    const { id_token } = await tokensOfWeb(kit);
    assertEquals("groups" in claimsOf(id_token), false);
  });

  it("keeps more than 4 kB out of the ID token, with an event", async () => {
    const many = Array.from({ length: 50 }, (_, n) => `${n}-`.padEnd(100, "x"));
    const kit = withGroups(many);
    const { id_token, access_token } = await tokensOfWeb(kit);
    assertEquals("groups" in claimsOf(id_token), false);
    assertEquals((await kit.userinfo(access_token)).body.groups, many);
    const left = kit.events.filter(({ type }) => type === "groups.left_out");
    assertEquals(left, [{ type: "groups.left_out", user: "alice", client: "web" }]);
  });

  const malformed: Record<string, unknown> = {
    "a text": "staff",
    "numbers": [1],
    "an empty name": [""],
    "a name of 101 characters": ["x".repeat(101)],
    "51 names": Array.from({ length: 51 }, (_, n) => `${n}`),
  };
  for (const [title, groups] of Object.entries(malformed)) {
    it(`cannot have ${title}`, async () => {
      const open = () => Promise.resolve().then(() => withGroups(groups));
      await assertRejects(open, ConfigError, "claims.groups must be a list of at most 50 names");
    });
  }

  it("is for no service: client credentials have no user", async () => {
    const kit = openServer({ grantTypes: ["client_credentials"], redirectUris: [] });
    const fields = { grant_type: "client_credentials", client_id: undefined, scope: "groups" };
    assertEquals((await kit.token(fields, asWeb)).body.error, "invalid_scope");
  });

  it("is not among the scopes of a request that names none", async () => {
    const callback = await openServer().authorize({ client_id: "web", scope: undefined });
    assertEquals(callback.get("error"), "invalid_scope");
  });

  it("is for registered clients only by registration.allow", needs("registration"), async () => {
    const register = async (allow?: { scopes: string[] }) => {
      const kit = openServer({}, { registration: { open: true, ...allow && { allow } } });
      const body = JSON.stringify({ redirect_uris: redirectUris, scope: "openid groups" });
      const headers = { "Content-Type": "application/json" };
      const response = await kit.request("/oauth2/register", { method: "POST", headers, body });
      return response.status;
    };
    assertEquals(await register(), 400);
    assertEquals(await register({ scopes: ["openid", "groups"] }), 201);
  });
});
