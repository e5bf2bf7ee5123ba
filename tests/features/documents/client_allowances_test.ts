import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "node:test";
import { demoScopes } from "../../../src/lab/demo/demo_scopes.ts";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { findLeniencies } from "../../../src/program/operate/leniencies.ts";
import type { RegistrationPolicy } from "../../../src/server/features.ts";
import { registrationParts } from "../../../src/server/features/registration/registration_offers.ts";
import { findClient, lookUpClient } from "../../../src/server/issuer/clients/clients.ts";
import { listClients } from "../../../src/server/issuer/directory/directory_entries.ts";
import { type Config, ConfigError } from "../../../src/server/mod.ts";
import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { textOf } from "../../support/browser.ts";
import {
  assertion,
  assertionClaims,
  assertionType,
  makeClientKey,
} from "../../support/client_key.ts";
import {
  basic,
  claimsOf,
  type Fields,
  type Kit,
  openKit,
  openLabKit,
  openStrictKit,
} from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import {
  initialAccessToken,
  redirectUri as redirect_uri,
  register,
  sendJson,
} from "../../support/registration.ts";
import { assertReport } from "../../support/reported.ts";
import { contextIn } from "../../support/request_context.ts";
import type { ResponseBody } from "../../support/wire.ts";
import { described, documentUrl, openAs, openDocuments, openWeb } from "./document_kit.ts";

/** A claim of a user that only some clients receive. */
type Salary = { salary: number };

const api = "https://api.example";
const payment = JSON.stringify([{ type: "file_access", actions: ["read"], path: "/a" }]);
const standard = "openid profile email address phone offline_access";
const basicMethod = { token_endpoint_auth_method: "client_secret_basic" };
const grantTypes = ["client_credentials"];
const service = { grant_types: grantTypes, redirect_uris: undefined, response_types: [] };
const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined };

/** A user with a claim that OpenID Connect does not define, and a scope that opens it. */
const salaried: Partial<LabConfig> = {
  scopes: { ...demoScopes, pay: { text: "See your salary", claims: ["salary"] } },
  users: [{ name: "alice", password: "alice", claims: { email: "a@example.com", salary: 1 } }],
};

/** A server that has more than the standard scopes, and allows what a real one does by default. */
function openServer(
  registration: RegistrationPolicy,
  more?: Partial<LabConfig>,
  document = {},
): Kit {
  const policy = registration === "open" ? { open: true } : registration;
  const config = { resources: [api], registration: { allow: {}, ...policy }, ...more };
  return openDocuments(config, openWeb(described(document)));
}

/** A server that registers those who have an initial access token. */
const openAdmitted = (policy: object = {}, more?: Partial<LabConfig>) =>
  openServer({ initialAccessToken, ...policy }, more);

/** Registers a client with the initial access token. */
async function admit(kit: Kit, metadata: object = {}): Promise<ResponseBody> {
  return (await register(kit, metadata, initialAccessToken)).body;
}

/** Registers a client anew (RFC 7592). */
function update(kit: Kit, registered: ResponseBody, changes: object) {
  const { client_id, registration_client_uri: url, registration_access_token: token } = registered;
  const metadata = { client_id, redirect_uris: [redirect_uri], ...changes };
  return sendJson(kit, "PUT", url, metadata, token);
}

async function tokensOf(kit: Kit, client_id: string, changes: Fields = {}) {
  const code = await kit.code({ client_id, redirect_uri, scope: "openid", ...changes });
  return (await kit.redeem(code, { client_id, redirect_uri })).body;
}

/** Returns the page of an authorization request for the scope openid. */
async function pageFor(kit: Kit, client_id: string, changes: Fields = {}, browser = kit.browser()) {
  return await openAs(kit, client_id, { scope: "openid", ...changes }, browser);
}

const scopesOf = async ({ server }: Kit) =>
  (await lookUpClient(contextIn(server), documentUrl))?.scopes;

describe("L7: What untrusted clients may ask for", () => {
  it("is the standard scopes, where a registration names none", async () => {
    assertEquals((await register(openServer("open"))).body.scope, standard);
  });

  it("is refused beyond that at registration, and the error names what is allowed", async () => {
    const { status, body } = await register(openServer("open"), { scope: "openid read" });
    assertEquals([status, body.error], [400, "invalid_client_metadata"]);
    const words = "'scope' contains 'read'; allowed here: openid profile email";
    assertStringIncludes(body.error_description, words);
  });

  it("is narrowed for a client of a metadata document", async () => {
    assertEquals(await scopesOf(openServer("open", {}, { scope: "openid read" })), ["openid"]);
  });

  const beyond: Array<[what: string, changes: Fields, error: string]> = [
    ["a scope", { scope: "openid read" }, "invalid_scope"],
    ["a resource", { resource: api }, "invalid_target"],
    ["authorization details", { authorization_details: payment }, "invalid_authorization_details"],
  ];
  for (const [what, changes, error] of beyond) {
    it(`does not include ${what} of the server's own, for either kind`, async () => {
      const kit = openServer("open");
      for (const id of [(await register(kit)).body.client_id, documentUrl]) {
        assertStringIncludes((await pageFor(kit, id, changes)).html, error);
      }
    });
  }

  it("is the default resource and the issuer, named or not", async () => {
    const defaultResource = "https://default.example";
    const kit = openServer("open", { defaultResource });
    for (const resource of [defaultResource, kit.issuer, undefined]) {
      const { access_token } = await tokensOf(kit, documentUrl, { resource });
      assert([claimsOf(access_token).aud].flat().includes(resource ?? defaultResource));
    }
  });

  it("is no claim of a scope that they may not have, even by its name", async () => {
    const kit = openServer("open", salaried);
    const claims = JSON.stringify({ id_token: { salary: null, email: null, acr: null } });
    const asked = { claims, scope: "openid email" };
    const { email, salary } = claimsOf<Salary>((await tokensOf(kit, documentUrl, asked)).id_token);
    assertEquals<unknown>([email, salary], ["a@example.com", undefined]);
    assertEquals(claimsOf<Salary>((await kit.tokens(asked)).id_token).salary, 1);
  });

  it("follows 'allow', member by member", async () => {
    const kit = openServer({ open: true, allow: { scopes: ["openid", "read"], resources: [api] } });
    const { client_id } = (await register(kit)).body;
    const { access_token } = await tokensOf(kit, client_id, { scope: "read", resource: api });
    assertEquals([claimsOf(access_token).scope, claimsOf(access_token).aud], ["read", api]);
    const { html } = await pageFor(kit, documentUrl, { authorization_details: payment });
    assertStringIncludes(html, "invalid_authorization_details");
    assertEquals((await register(kit, { scope: "write" })).status, 400);
  });

  it("can be said of metadata documents alone", async () => {
    const kit = openServer({ allow: { scopes: ["read"] } });
    assertEquals(await scopesOf(kit), ["read"]);
    assertEquals((await register(kit)).status, 404);
    assertEquals(kit.server.context.metadata().registration_endpoint, undefined);
  });

  it("is everything in a lab and under the profile mcp, unless 'allow' limits it", async () => {
    const scopesIn = async (config: Partial<LabConfig>) =>
      (await register(openKit({ resources: [api], ...config }))).body.scope;
    const limited = { open: true, allow: { scopes: ["read"] } };
    assertEquals(await scopesIn({}), `${standard} groups read write`);
    assertEquals(await scopesIn({ registration: limited }), "read");
    const { context } = openServer("open", { profile: "mcp" }).server;
    const { untrusted } = registrationParts(context).offers;
    assertEquals([untrusted.scopes.includes("read"), untrusted.resources], [true, "any"]);
  });

  it("does not narrow what the metadata of the server advertises", () => {
    const metadata = openServer("open").server.context.metadata();
    assertEquals(metadata.scopes_supported, `${standard} groups read write`.split(" "));
    const types = ["payment_initiation", "file_access"];
    assertEquals(metadata.authorization_details_types_supported, types);
  });

  it("ends for clients that registered before the settings became stricter", async () => {
    const store = memoryStore();
    const lax = { open: true, allow: { scopes: "any", resources: "any" } } as const;
    const before = openServer(lax, { store });
    const grant_types = ["authorization_code", "refresh_token"];
    const { client_id } = (await register(before, { grant_types })).body;
    const asked = { scope: "openid read", resource: api };
    const { refresh_token } = await tokensOf(before, client_id, asked);
    const kit = openServer("open", { store });
    assertStringIncludes((await pageFor(kit, client_id, { scope: "read" })).html, "invalid_scope");
    assertEquals((await kit.refresh(refresh_token, { client_id })).body.error, "invalid_target");
  });
});

describe("A client that registered with an initial access token", () => {
  it("L7: may ask for everything, and for the claims of its scopes by their names", async () => {
    const kit = openAdmitted({}, salaried);
    const { client_id, scope } = await admit(kit);
    const claims = JSON.stringify({ id_token: { salary: null } });
    const asked = { scope: "openid read", resource: api, claims };
    const { access_token, id_token } = await tokensOf(kit, client_id, asked);
    assertEquals(scope, `${standard} groups read write pay`);
    assertEquals(claimsOf(access_token).aud, api);
    assertEquals(claimsOf<Salary>(id_token).salary, 1);
  });

  it("is not trusted by that alone: errors are shown here, and it is asked about each time", async () => {
    const kit = openAdmitted();
    const { client_id } = await admit(kit);
    const { html } = await pageFor(kit, client_id, { scope: "nothing" });
    assertStringIncludes(html, 'id="onward"');
    const browser = kit.browser();
    await kit.authorize({ client_id, redirect_uri }, {}, browser);
    assertStringIncludes((await pageFor(kit, client_id, {}, browser)).html, 'id="consent"');
  });

  it("with 'trusted', gets errors by redirect, and consent that was given before", async () => {
    const kit = openAdmitted({ trusted: true, allow: { scopes: ["openid"] } });
    const { client_id } = await admit(kit, { scope: "openid read" });
    const browser = kit.browser();
    const silently = () => pageFor(kit, client_id, { prompt: "none" }, browser);
    assertMatch((await silently()).url, /error=login_required/);
    const consent = await browser.signIn(await pageFor(kit, client_id, {}, browser));
    assertNotMatch(consent.html, /id="stranger"/);
    await browser.decide(consent);
    assertMatch((await silently()).url, /code=/);
  });

  it("is asked about each time once 'trusted' is taken back, and so keeps offline_access without a prompt", async () => {
    const store = memoryStore();
    const before = openAdmitted({ trusted: true }, { store });
    const { client_id } = await admit(before);
    const request = { client_id, redirect_uri, scope: "openid offline_access" };
    const browser = before.browser();
    await before.authorize({ ...request, prompt: "consent" }, {}, browser);
    const kit = openAdmitted({}, { store });
    const { html } = await kit.browser(browser).open(kit.authorizationUrl(request));
    assertEquals([html.includes('id="consent"'), html.includes("offline_access")], [true, true]);
  });

  it("with 'trusted', is asked about each time where it is native", async () => {
    const kit = openAdmitted({ trusted: true });
    const { client_id } = await admit(kit, { redirect_uris: ["http://127.0.0.1/cb"] });
    assertEquals((await findClient(kit.server.context, client_id))?.rememberConsent, false);
  });

  it("with 'trusted', still has its keys fetched by the guarded way alone (CVE-2026-1180)", async () => {
    const asked: string[] = [];
    const kit = openAdmitted({ trusted: true }, {
      fetchUntrusted: async (url: string) => (asked.push(url), Response.json({ keys: [] })),
      fetch: () => Promise.reject(new Error("unguarded")),
    });
    const jwks_uri = "https://app.example/jwks";
    const method = { token_endpoint_auth_method: "private_key_jwt" };
    const { client_id } = await admit(kit, { ...method, jwks_uri });
    const proof = await assertion(kit, client_id, await makeClientKey());
    await kit.token({ grant_type: "authorization_code", code: "x", ...proof });
    assertEquals(asked, [jwks_uri]);
  });

  it("with 'pkce', may leave a challenge out if it is confidential, and never if it is public", async () => {
    const kit = openAdmitted({ pkce: "optional" });
    const pageOf = async (metadata: object) =>
      (await pageFor(kit, (await admit(kit, metadata)).client_id, withoutPkce)).html;
    assertStringIncludes(await pageOf(basicMethod), 'id="sign-in"');
    assertStringIncludes(await pageOf({}), "PKCE is required");
  });

  it("Q9: with 'pkce', redeems a code without a challenge only while it is confidential", async () => {
    const redeemAs = async (method: string) => {
      const kit = openAdmitted({ pkce: "optional" });
      const client = await admit(kit, basicMethod);
      const { client_id, client_secret } = client;
      const code = await kit.code({ client_id, redirect_uri, ...withoutPkce });
      await update(kit, client, { token_endpoint_auth_method: method });
      const proof = method === "none" ? {} : basic(client_id, client_secret);
      const id = method === "none" ? client_id : undefined;
      const fields = { redirect_uri, client_id: id, code_verifier: undefined };
      return (await kit.redeem(code, fields, proof)).body;
    };
    assertEquals((await redeemAs("client_secret_basic")).token_type, "Bearer");
    const { error, error_description } = await redeemAs("none");
    assertEquals(error, "invalid_grant");
    assertStringIncludes(error_description, "without a code_challenge");
  });

  it("with 'assertionAudience', may name the token endpoint", async () => {
    const key = await makeClientKey();
    const statusWith = async (policy: object) => {
      const kit = openAdmitted(policy);
      const method = { token_endpoint_auth_method: "private_key_jwt" };
      const { client_id } = await admit(kit, {
        ...service,
        ...method,
        jwks: { keys: [key.publicJwk] },
      });
      const claims = { ...assertionClaims(kit, client_id), aud: `${kit.issuer}/oauth2/token` };
      const proof = {
        client_assertion_type: assertionType,
        client_assertion: await key.sign(claims),
      };
      return (await kit.token({ grant_type: "client_credentials", ...proof })).status;
    };
    assertEquals(await statusWith({ assertionAudience: "token-endpoint" }), 200);
    assertEquals(await statusWith({}), 401);
  });
});

describe("What a client showed when it registered", () => {
  const leniencies = {
    trusted: true,
    pkce: "optional",
    assertionAudience: "token-endpoint",
  } as const;
  const proven = { initialAccessToken };
  const lenient = { ...proven, ...leniencies };
  const strict = [false, false, "required", "issuer"];
  const admitted = [true, false, "required", "issuer"];
  const laxest = [true, ...Object.values(leniencies)];

  async function factsOf(kit: Kit, id: string): Promise<unknown[]> {
    const client = present(await findClient(kit.server.context, id));
    const { trusted, pkce, assertionAudience, registration } = client;
    return [registration?.initialAccess ?? false, trusted, pkce, assertionAudience];
  }

  /**
   * Registers under one policy; the server then runs under another one, and the client registers
   * anew.
   */
  async function moved(from: RegistrationPolicy, to: RegistrationPolicy) {
    const store = memoryStore();
    const body = await admit(openServer(from, { store }), basicMethod);
    const { client_id } = body;
    const kit = openServer(to, { store });
    const before = await factsOf(kit, client_id);
    assertEquals((await update(kit, body, basicMethod)).status, 200);
    return { kit, facts: [before, await factsOf(kit, client_id)] };
  }

  const moves: Record<
    string,
    [from: RegistrationPolicy, to: RegistrationPolicy, facts: unknown[][]]
  > = {
    "is kept by a change, and never gained by one": ["open", lenient, [strict, strict]],
    "counts for nothing under stricter settings": [lenient, proven, [admitted, admitted]],
    "counts for more at the next change under others": [proven, lenient, [admitted, laxest]],
  };
  for (const [title, [from, to, facts]] of Object.entries(moves)) {
    it(title, async () => assertEquals((await moved(from, to)).facts, facts));
  }

  it("is listed among the leniencies, of the server and of each client", async () => {
    const { server: { context } } = (await moved(lenient, lenient)).kit;
    const clients = (await listClients(context)).map(({ value }) => value);
    const found = findLeniencies(context.settings, clients.filter((each) => each.registration))
      .map(({ setting }) => setting.replace(/^client .*:/, "client:"));
    for (const member of Object.keys(leniencies)) {
      assert(found.includes(`registration.${member}`), member);
      assert(found.includes(`client: ${member}`), member);
    }
  });

  it("is no leniency where it grants nothing", () => {
    const found = findLeniencies(openAdmitted().server.context.settings, []);
    assertEquals(found.filter(({ setting }) => setting.startsWith("registration")), []);
  });
});

describe("The pages that name an untrusted client", () => {
  it("L6: warn of it at sign-in and at the choice of an account", async () => {
    const kit = openServer("open");
    const browser = kit.browser();
    const ask = () => pageFor(kit, documentUrl, { prompt: "select_account" }, browser);
    const signIn = await ask();
    await browser.signIn(signIn);
    const selectAccount = await ask();
    assertStringIncludes(selectAccount.html, 'id="select-account"');
    const warning =
      /describes itself at app\.example \. Its identity is not verified\. What you allow is sent to app\.example/;
    for (const { html } of [signIn, selectAccount]) assertMatch(textOf(html), warning);
  });
});

describe("The grants of clients that are not configured", () => {
  /** Registers a service, and returns the result of its token request, or why it has none. */
  async function serviceIn(kit: Kit, token?: string, fields: Fields = {}) {
    const { status, body } = await register(kit, { ...service, ...basicMethod }, token);
    if (status !== 201) return body.error;
    const { client_id, client_secret } = body;
    const grant = { grant_type: "client_credentials", ...fields };
    const issued = await kit.token(grant, basic(client_id, client_secret));
    return issued.body.error ?? issued.body.scope;
  }

  /** A server that no lab wraps. */
  function openReal(registration: RegistrationPolicy, more: Partial<Config> = {}): Kit {
    return openStrictKit({ registration, resources: [api], scopes: demoScopes, ...more });
  }

  it("L7 T25: are listed for the holders of the initial access token, within 'allow'", async () => {
    const allow = { grantTypes, scopes: ["read"], resources: [api] };
    const outcomes: Array<[fields: Fields, outcome: string]> = [
      [{}, "read"],
      [{ resource: api }, "read"],
      [{ scope: "write" }, "invalid_scope"],
      [{ resource: "https://else.example" }, "invalid_target"],
    ];
    for (const [fields, outcome] of outcomes) {
      const kit = openReal({ initialAccessToken, allow });
      assertEquals(await serviceIn(kit, initialAccessToken, fields), outcome);
    }
    const lab = openAdmitted({ allow: { scopes: ["read"], resources: [] } });
    assertEquals(await serviceIn(lab, initialAccessToken, { resource: api }), "invalid_target");
  });

  const confidential = { ...service, ...basicMethod };
  const refused: Record<string, [grants: string[], metadata: object]> = {
    "are no others than the listed ones": [grantTypes, {}],
    "include client credentials only if they are listed": [["authorization_code"], confidential],
    "T25: are for confidential clients only": [grantTypes, service],
  };
  for (const [title, [grantTypes, metadata]] of Object.entries(refused)) {
    it(title, async () => {
      const kit = openReal({ initialAccessToken, allow: { grantTypes } });
      assertEquals((await admit(kit, metadata)).error, "invalid_client_metadata");
    });
  }

  it("shrink at once if the setting does", async () => {
    const store = memoryStore();
    const first = openReal({ initialAccessToken, allow: { grantTypes } }, { store });
    const { client_id, client_secret } = await admit(first, { ...service, ...basicMethod });
    const allow = { grantTypes: ["authorization_code"] };
    const second = openReal({ initialAccessToken, allow }, { store });
    const grant = { grant_type: "client_credentials" };
    const { body } = await second.token(grant, basic(client_id, client_secret));
    assertEquals(body.error, "unauthorized_client");
  });

  it("L7: never include client credentials for an open registration of a server", async () => {
    assertEquals(await serviceIn(openReal("open")), "invalid_client_metadata");
    const message =
      "registration.allow.grantTypes contains 'client_credentials', which needs initialAccessToken";
    for (const policy of [{ open: true }, {}]) {
      const open = () => openReal({ ...policy, allow: { grantTypes } });
      assertThrows(open, ConfigError, message);
    }
  });

  it("L7: include client credentials for a metadata document only in a lab, by name", async () => {
    const both = ["authorization_code", ...grantTypes];
    const keys = [(await makeClientKey()).publicJwk];
    const method = { token_endpoint_auth_method: "private_key_jwt", jwks: { keys } };
    const grants = { grant_types: both, id_token_signed_response_alg: undefined };
    const respond = described({ ...grants, ...method });
    const fetchUntrusted = async (url: string) => respond(url);
    const grantsIn = async (open: typeof openReal, registration: RegistrationPolicy) => {
      const { server } = open(registration, { clientMetadataDocuments: true, fetchUntrusted });
      return (await lookUpClient(contextIn(server), documentUrl))?.grantTypes;
    };
    const allow = { grantTypes: both };
    assertEquals(await grantsIn(openReal, { initialAccessToken, allow }), ["authorization_code"]);
    assertEquals(await grantsIn(openServer, { open: true }), ["authorization_code"]);
    assertEquals(await grantsIn(openServer, { open: true, allow }), both);
  });

  it("include client credentials for open registration in a lab, by name", async () => {
    assertEquals(await serviceIn(openKit()), "invalid_client_metadata");
    const openLab = (allow: object) => openLabKit({ registration: { open: true, allow } });
    const kit = openLab({ grantTypes });
    assertEquals(await serviceIn(kit, undefined, { scope: "read" }), "read");
    const leniencies = ["registration.allow.grantTypes: client_credentials"];
    assertReport(kit.lab, { leniencies });
    const narrow = openLab({ grantTypes, scopes: ["read"] });
    assertEquals(await serviceIn(narrow), "read");
    assertEquals(await serviceIn(narrow, undefined, { scope: "write" }), "invalid_scope");
    assertThrows(() => openLab({ grantTypes: [jwtBearerGrantType] }), ConfigError);
  });

  it("cannot be listed if the server does not have them", () => {
    const registration = { initialAccessToken, allow: { grantTypes: ["password"] } };
    const message = "contains 'password', which is not among the server's grantTypes";
    assertThrows(() => openReal(registration), ConfigError, message);
  });
});
