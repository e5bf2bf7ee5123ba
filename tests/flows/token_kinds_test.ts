import { assert, assertEquals } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { describe, it } from "node:test";
import { protectedResource } from "../../src/resource/protected_resource.ts";
import type { ClientConfig } from "../../src/server/features.ts";
import { tokenExchangeGrantType } from "../../src/server/protocol/grant_types.ts";
import { lazily } from "../../src/server/util/values/memoize.ts";
import { fixturesOf } from "../features.ts";
import type { Browser } from "../support/browser.ts";
import { basic, isActive, type Kit, openKit, seesTokens } from "../support/kit.ts";
import { signOut } from "../support/logout.ts";
import { present } from "../support/present.ts";
import { hasFeature } from "../support/where_feature.ts";

const api = "https://api.example";
const stock = "https://stock.example";
const redirect_uri = "https://app.example/cb";
const app = basic("app", "app-secret-of-22-characters");
const typePrefix = "urn:ietf:params:oauth:token-type:";

const sentTokens = fixturesOf("sentTokens");

const usualKinds = [
  "access token",
  "opaque access token",
  "ID token",
  "signed userinfo",
  "signed introspection",
  "signed authorization response",
  "refresh token",
  "code",
] as const;
const kinds: readonly string[] = [
  ...usualKinds.filter((kind) => kind !== "signed introspection" || hasFeature("introspection")),
  ...Object.keys(sentTokens),
];
type Setting = "at+jwt" | "JWT";
type Credentials = Record<typeof usualKinds[number], string> & Record<string, string>;

/** Lets the client exchange tokens, where the project can do that. */
const exchanging: Partial<ClientConfig> = hasFeature("token exchange")
  ? {
    grantTypes: ["authorization_code", "refresh_token", tokenExchangeGrantType],
    tokenExchange: { audiences: [stock], impersonation: true, delegation: true },
  }
  : {};

interface Situation {
  kit: Kit;
  setting: Setting;
  credentials: Credentials;
}

/** Opens a server, and has it issue one credential of every kind. */
async function open(setting: Setting): Promise<Situation> {
  const sent: Record<string, string> = {};
  const kit = openKit({
    accessTokenType: setting,
    resources: [api, stock, { uri: "https://opaque.example", accessTokenFormat: "opaque" }],
    clients: [{
      id: "app",
      secret: "app-secret-of-22-characters",
      redirectUris: [redirect_uri],
      grantTypes: ["authorization_code", "refresh_token"],
      ...exchanging,
      ...Object.assign({}, ...Object.values(sentTokens).map(({ client }) => client)),
      userinfoAlg: "RS256",
      ...seesTokens,
    }],
    fetch: async (_url, { body = "" }) => {
      for (const [kind, { readFrom }] of Object.entries(sentTokens)) {
        sent[kind] = readFrom(body) ?? "";
      }
      return new Response();
    },
  });
  await endSession(kit);
  const scope = "openid read offline_access";
  const resource = [kit.issuer, api];
  const tokens = await tokensFor(kit, { resource, scope });
  const opaque = await tokensFor(kit, { resource: [...resource, "https://opaque.example"], scope });
  const asJwt = { ...app, Accept: "application/token-introspection+jwt" };
  const jarm = await callback(kit, { response_mode: "query.jwt", scope: "openid" });
  return {
    kit,
    setting,
    credentials: {
      "access token": tokens.access_token,
      "opaque access token": opaque.access_token,
      "ID token": tokens.id_token,
      ...sent,
      "signed userinfo": (await kit.userinfo(tokens.access_token)).text,
      "signed introspection": (await kit.introspect(tokens.access_token, {}, asJwt)).text,
      "signed authorization response": jarm.get("response") ?? "",
      "refresh token": tokens.refresh_token,
      "code": (await callback(kit, { scope: "openid" })).get("code") ?? "",
    },
  };
}

/** The servers of all tests that take nothing away which others need. */
const shared = { "at+jwt": lazily(() => open("at+jwt")), JWT: lazily(() => open("JWT")) };

function callback(kit: Kit, changes: Record<string, string | string[]>, browser = kit.browser()) {
  const request = { client_id: "app", redirect_uri, prompt: "consent", ...changes };
  return kit.authorize(request, { user: "alice" }, browser);
}

async function tokensFor(kit: Kit, changes: Parameters<typeof callback>[1], browser?: Browser) {
  const code = (await callback(kit, changes, browser)).get("code") ?? "";
  return (await kit.redeem(code, { redirect_uri, client_id: undefined }, app)).body;
}

async function endSession(kit: Kit): Promise<void> {
  const browser = kit.browser();
  await tokensFor(kit, { scope: "openid" }, browser);
  await signOut(kit, browser);
  await kit.server.context.background.idle();
}

async function exchanges(
  { kit, credentials }: Situation,
  part: "subject" | "actor",
  token: string,
  type: string,
): Promise<boolean> {
  const { status } = await kit.token({
    grant_type: tokenExchangeGrantType,
    audience: stock,
    subject_token: credentials["access token"],
    subject_token_type: `${typePrefix}access_token`,
    [`${part}_token`]: token,
    [`${part}_token_type`]: `${typePrefix}${type}`,
  }, app);
  return status === 200;
}

async function callApi(
  { kit }: Situation,
  token: string,
  tokenType: Setting | undefined,
): Promise<boolean> {
  const protectedApi = protectedResource({
    resource: api,
    authorizationServers: [kit.issuer],
    ...tokenType && { tokenType },
    now: () => kit.clock.now,
    fetch: (url, { signal: _, ...init }) => kit.server.fetch(new Request(url, init)),
  });
  const request = new Request(api, { headers: { Authorization: `Bearer ${token}` } });
  return !(await protectedApi.require(request) instanceof Response);
}

interface Place {
  name: string;
  takes: readonly string[];
  accepts(situation: Situation, token: string): Promise<boolean>;
}

const accessTokens = ["access token", "opaque access token"] as const;

const exchangeParts = hasFeature("token exchange") ? ["subject", "actor"] as const : [];

const places: Place[] = [
  {
    name: "userinfo",
    takes: accessTokens,
    accepts: async ({ kit }, token) => (await kit.userinfo(token)).status === 200,
  },
  {
    name: "introspection",
    takes: [...accessTokens, "refresh token"],
    accepts: ({ kit }, token) => isActive(kit, token, app),
  },
  {
    name: "id_token_hint at the authorization endpoint",
    takes: ["ID token"],
    async accepts({ kit }, id_token_hint) {
      const browser = kit.browser();
      await callback(kit, { scope: "openid" }, browser);
      const fields = { client_id: "app", redirect_uri, scope: "openid", id_token_hint };
      const url = kit.authorizationUrl({ ...fields, prompt: "none" });
      const error = new URL((await browser.open(url)).url).searchParams.get("error");
      return error !== "invalid_request";
    },
  },
  ...Object.entries(fixturesOf("idTokenPlaces")).map(([name, accepts]): Place => ({
    name,
    takes: ["ID token"],
    accepts: ({ kit }, token) => accepts(kit, token),
  })),
  ...exchangeParts.flatMap((part): Place[] => [
    {
      name: `exchange as ${part}_token of the type access_token`,
      takes: accessTokens,
      accepts: (situation, token) => exchanges(situation, part, token, "access_token"),
    },
    {
      name: `exchange as ${part}_token of the type jwt`,
      takes: accessTokens,
      accepts: (situation, token) => exchanges(situation, part, token, "jwt"),
    },
    {
      name: `exchange as ${part}_token of the type id_token`,
      takes: ["ID token"],
      accepts: (situation, token) => exchanges(situation, part, token, "id_token"),
    },
  ]),
  {
    name: "hallpass/resource with that tokenType",
    takes: ["access token"],
    accepts: (situation, token) => callApi(situation, token, situation.setting),
  },
  {
    name: "refresh",
    takes: ["refresh token"],
    accepts: async ({ kit }, refresh_token) =>
      (await kit.refresh(refresh_token, {}, app)).status === 200,
  },
  {
    name: "the token endpoint as a code",
    takes: ["code"],
    accepts: async ({ kit }, code) =>
      (await kit.redeem(code, { redirect_uri, client_id: undefined }, app)).status === 200,
  },
];

describe("Every kind of token at every place", () => {
  for (const setting of ["at+jwt", "JWT"] as const) {
    for (const place of places) {
      it(`B27 ${place.name} takes only ${place.takes.join(", ")} (access tokens are ${setting})`, async () => {
        const situation = await shared[setting]();
        const { credentials } = situation;
        assertEquals(kinds.filter((kind) => !credentials[kind]), []);
        assertEquals(decodeProtectedHeader(credentials["access token"]).typ, setting);
        const taken: string[] = [];
        for (const kind of kinds) {
          if (await place.accepts(situation, present(credentials[kind]))) taken.push(kind);
        }
        assertEquals(taken, kinds.filter((kind) => place.takes.includes(kind)));
      });
    }

    for (const kind of hasFeature("revocation") ? kinds : []) {
      const ends = [...accessTokens, "refresh token"].includes(kind);
      it(`revocation ${ends ? "ends" : "ignores"} the ${kind} (access tokens are ${setting})`, async () => {
        const { kit, credentials } = await (ends ? open(setting) : shared[setting]());
        await kit.revoke(present(credentials[kind]), {}, app);
        const rest = kind === "opaque access token" ? kind : "access token";
        assertEquals(await isActive(kit, credentials[rest], app), !ends);
      });
    }
  }

  it("hallpass/resource takes an access token of the type JWT only where tokenType says so", async () => {
    const situation = await shared.JWT();
    const token = situation.credentials["access token"];
    assertEquals(await callApi(situation, token, undefined), false);
    assertEquals(await callApi(situation, token, "at+jwt"), false);
    assert(await callApi(situation, token, "JWT"));
    const strict = await shared["at+jwt"]();
    assert(await callApi(strict, strict.credentials["access token"], "JWT"));
  });
});

describe("The type of an access token", () => {
  const typeOf = async (config: Parameters<typeof openKit>[0], resource?: string | string[]) => {
    const { access_token } = await openKit(config).tokens({ resource, scope: "read" });
    return decodeProtectedHeader(access_token).typ;
  };
  const redirectUris = ["https://hallpass.test/authorized"];
  const spa = { id: "demo-spa", redirectUris };

  it("is at+jwt, or what the server, the client and the resource say, the last one first", async () => {
    const resources = [{ uri: api, accessTokenType: "at+jwt" as const }, stock];
    const jwtClient = [{ ...spa, accessTokenType: "JWT" as const }];
    assertEquals(await typeOf({}), "at+jwt");
    assertEquals(await typeOf({ accessTokenType: "JWT" }), "JWT");
    assertEquals(await typeOf({ clients: jwtClient }), "JWT");
    assertEquals(await typeOf({ clients: jwtClient, resources }, stock), "JWT");
    assertEquals(await typeOf({ clients: jwtClient, resources }, api), "at+jwt");
  });

  it("S6: is at+jwt as soon as one audience is not named by the configuration", async () => {
    const config = { clients: [spa], accessTokenType: "JWT" as const };
    assertEquals(await typeOf({ ...config, resources: [api, stock] }, [api, stock]), "JWT");
    assertEquals(await typeOf(config, "https://hallpass.test"), "JWT");
    assertEquals(await typeOf(config, ["https://hallpass.test", api]), "at+jwt");
  });
});
