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
import { type Browser, type Page, textOf } from "../../support/browser.ts";
import { assertionClaims, assertionType, makeClientKey } from "../../support/client_key.ts";
import {
  basic,
  claimsOf,
  type Fields,
  type Kit,
  openKit,
  openLabKit,
  openStrictKit,
} from "../../support/kit.ts";
import {
  initialAccessToken,
  redirectUri as redirect_uri,
  register,
  sendJson,
} from "../../support/registration.ts";
import { assertReport } from "../../support/reported.ts";
import { contextIn } from "../../support/request_context.ts";

/** A claim of a user that only some clients receive. */
type Salary = { salary: number };

const documentUrl = "https://app.example/client.json";
const api = "https://api.example";
const payment = JSON.stringify([{ type: "file_access", actions: ["read"], path: "/a" }]);
const standard = "openid profile email address phone offline_access";

/** A scope that opens a claim which OpenID Connect does not define. */
const salaryScope = { text: "See your salary", claims: ["salary"] };

/** A server that has more than the standard scopes, and allows what a real one does by default. */
function openServer(registration: RegistrationPolicy, more: Partial<LabConfig> = {}): Kit {
  const policy = registration === "open" ? { open: true } : registration;
  return openKit({
    resources: [api],
    registration: { allow: {}, ...policy },
    fetchUntrusted: serveDocument(),
    ...more,
  });
}

const serveDocument = (changes: object = {}) => async () =>
  Response.json({
    client_id: documentUrl,
    redirect_uris: [redirect_uri],
    grant_types: ["authorization_code", "refresh_token"],
    ...changes,
  });

/** The page to which an authorization request of an untrusted client leads. */
function open(
  kit: Kit,
  client_id: string,
  changes: Fields = {},
  browser: Browser = kit.browser(),
): Promise<Page> {
  return browser.open(
    kit.authorizationUrl({ client_id, redirect_uri, scope: "openid", ...changes }),
  );
}

async function tokensOf(kit: Kit, client_id: string, changes: Fields = {}) {
  const code = await kit.code({ client_id, redirect_uri, scope: "openid", ...changes });
  return (await kit.redeem(code, { client_id, redirect_uri })).body;
}

describe("What untrusted clients may ask for", () => {
  it("L7: is the standard scopes, where a registration names none", async () => {
    assertEquals((await register(openServer("open"))).body.scope, standard);
  });

  it("L7: is refused beyond that at registration, and the error names what is allowed", async () => {
    const { status, body } = await register(openServer("open"), { scope: "openid read" });
    assertEquals([status, body.error], [400, "invalid_client_metadata"]);
    assertMatch(
      body.error_description,
      /'scope' contains 'read'; allowed here: openid profile email/,
    );
  });

  it("L7: is narrowed for a client of a metadata document", async () => {
    const kit = openServer("open", { fetchUntrusted: serveDocument({ scope: "openid read" }) });
    assertEquals(
      (await lookUpClient(contextIn(kit.server), documentUrl))?.scopes,
      ["openid"],
    );
  });

  for (
    const [what, changes, error] of [
      ["a scope", { scope: "openid read" }, "invalid_scope"],
      ["a resource", { resource: api }, "invalid_target"],
      [
        "authorization details",
        { authorization_details: payment },
        "invalid_authorization_details",
      ],
    ] as const
  ) {
    it(`L7: does not include ${what} of the server's own, for either kind`, async () => {
      const kit = openServer("open");
      const { client_id } = (await register(kit)).body;
      for (const id of [client_id, documentUrl]) {
        assertStringIncludes((await open(kit, id, changes)).html, error);
      }
    });
  }

  it("L7: is the default resource and the issuer, named or not", async () => {
    const kit = openServer("open", { defaultResource: "https://default.example" });
    for (const resource of ["https://default.example", kit.issuer, undefined]) {
      const { access_token } = await tokensOf(kit, documentUrl, { resource });
      assert([claimsOf(access_token).aud].flat().includes(resource ?? "https://default.example"));
    }
  });

  it("L7: is no claim of a scope that they may not have, even by its name", async () => {
    const users = [{
      name: "alice",
      password: "alice",
      claims: { email: "a@example.com", salary: 1 },
    }];
    const kit = openServer("open", { users, scopes: { ...demoScopes, pay: salaryScope } });
    const claims = JSON.stringify({ id_token: { salary: null, email: null, acr: null } });
    const { id_token } = await tokensOf(kit, documentUrl, { claims, scope: "openid email" });
    assertEquals([claimsOf(id_token).email, claimsOf<Salary>(id_token).salary], [
      "a@example.com",
      undefined,
    ]);
    const own = (await kit.tokens({ claims, scope: "openid email" })).id_token;
    assertEquals(claimsOf<Salary>(own).salary, 1);
  });

  it("L7: follows 'allow', member by member", async () => {
    const kit = openServer({ open: true, allow: { scopes: ["openid", "read"], resources: [api] } });
    const { access_token } = await tokensOf(kit, (await register(kit)).body.client_id, {
      scope: "read",
      resource: api,
    });
    assertEquals([claimsOf(access_token).scope, claimsOf(access_token).aud], ["read", api]);
    assertStringIncludes(
      (await open(kit, documentUrl, { authorization_details: payment })).html,
      "invalid_authorization_details",
    );
    assertEquals((await register(kit, { scope: "write" })).status, 400);
  });

  it("L7: can be said of metadata documents alone", async () => {
    const kit = openServer({ allow: { scopes: ["read"] } });
    assertEquals(
      (await lookUpClient(contextIn(kit.server), documentUrl))?.scopes,
      ["read"],
    );
    assertEquals(
      [(await register(kit)).status, kit.server.context.metadata().registration_endpoint],
      [404, undefined],
    );
  });

  it("L7: is everything in a lab and under the profile mcp, unless 'allow' limits it", async () => {
    const scopesIn = async (config: Partial<LabConfig>) =>
      (await register(openKit({ resources: [api], ...config }))).body.scope;
    assertEquals(await scopesIn({}), `${standard} groups read write`);
    assertEquals(
      await scopesIn({ registration: { open: true, allow: { scopes: ["read"] } } }),
      "read",
    );
    const { context } = openServer("open", { profile: "mcp" }).server;
    const { untrusted } = registrationParts(context).offers;
    assertEquals([untrusted.scopes.includes("read"), untrusted.resources], [true, "any"]);
  });

  it("L7: does not narrow what the metadata of the server advertises", () => {
    const { scopes_supported, authorization_details_types_supported } = openServer("open").server
      .context.metadata();
    assertEquals([scopes_supported, authorization_details_types_supported], [[
      ...standard.split(" "),
      "groups",
      "read",
      "write",
    ], [
      "payment_initiation",
      "file_access",
    ]]);
  });

  it("L7: ends for clients that registered before the settings became stricter", async () => {
    const store = memoryStore();
    const before = openServer({ open: true, allow: { scopes: "any", resources: "any" } }, {
      store,
    });
    const { client_id } =
      (await register(before, { grant_types: ["authorization_code", "refresh_token"] })).body;
    const { refresh_token } = await tokensOf(before, client_id, {
      scope: "openid read",
      resource: api,
    });
    const kit = openServer("open", { store });
    assertStringIncludes((await open(kit, client_id, { scope: "read" })).html, "invalid_scope");
    assertEquals((await kit.refresh(refresh_token, { client_id })).body.error, "invalid_target");
  });
});

describe("A client that registered with an initial access token", () => {
  const openAdmitted = (policy: object = {}, more: Partial<LabConfig> = {}) =>
    openServer({ initialAccessToken, ...policy }, more);

  it("L7: may ask for everything, and for the claims of its scopes by their names", async () => {
    const kit = openAdmitted({}, {
      scopes: { ...demoScopes, pay: salaryScope },
      users: [{ name: "alice", password: "alice", claims: { salary: 1 } }],
    });
    const { client_id, scope } = (await register(kit, {}, initialAccessToken)).body;
    const claims = JSON.stringify({ id_token: { salary: null } });
    const { access_token, id_token } = await tokensOf(kit, client_id, {
      scope: "openid read",
      resource: api,
      claims,
    });
    assertEquals([scope, claimsOf(access_token).aud, claimsOf<Salary>(id_token).salary], [
      `${standard} groups read write pay`,
      api,
      1,
    ]);
  });

  it("L7: is bounded by 'allow', also where it acts for itself", async () => {
    const kit = openAdmitted({ allow: { scopes: ["read"], resources: [] } });
    const metadata = {
      grant_types: ["client_credentials"],
      redirect_uris: undefined,
      token_endpoint_auth_method: undefined,
    };
    const { client_id, client_secret } = (await register(kit, metadata, initialAccessToken)).body;
    const ask = (fields: Fields) =>
      kit.token({ grant_type: "client_credentials", ...fields }, basic(client_id, client_secret));
    assertEquals([(await ask({})).body.scope, (await ask({ resource: api })).body.error], [
      "read",
      "invalid_target",
    ]);
    assertEquals((await ask({ scope: "write" })).body.error, "invalid_scope");
  });

  it("is not trusted by that alone: errors are shown here, and it is asked about each time", async () => {
    const kit = openAdmitted();
    const { client_id } = (await register(kit, {}, initialAccessToken)).body;
    assertStringIncludes((await open(kit, client_id, { scope: "nothing" })).html, 'id="onward"');
    const browser = kit.browser();
    await kit.authorize({ client_id, redirect_uri }, {}, browser);
    assertStringIncludes((await open(kit, client_id, {}, browser)).html, 'id="consent"');
  });

  it("with 'trusted', gets errors by redirect, and consent that was given before", async () => {
    const kit = openAdmitted({ trusted: true, allow: { scopes: ["openid"] } });
    const { client_id } = (await register(kit, { scope: "openid read" }, initialAccessToken)).body;
    const browser = kit.browser();
    assertMatch(
      (await open(kit, client_id, { prompt: "none" }, browser)).url,
      /error=login_required/,
    );
    const consent = await browser.signIn(await open(kit, client_id, {}, browser));
    assertNotMatch(consent.html, /id="stranger"/);
    await browser.decide(consent);
    assertMatch((await open(kit, client_id, { prompt: "none" }, browser)).url, /code=/);
  });

  it("is asked about each time once 'trusted' is taken back, and so keeps offline_access without a prompt", async () => {
    const store = memoryStore();
    const before = openAdmitted({ trusted: true }, { store });
    const { client_id } = (await register(before, {}, initialAccessToken)).body;
    const request = { client_id, redirect_uri, scope: "openid offline_access" };
    const browser = before.browser();
    await before.authorize({ ...request, prompt: "consent" }, {}, browser);
    const kit = openAdmitted({}, { store });
    const after = kit.browser();
    for (const [name, value] of browser.cookies) after.cookies.set(name, value);
    const { html } = await after.open(kit.authorizationUrl(request));
    assertEquals([html.includes('id="consent"'), html.includes("offline_access")], [true, true]);
  });

  it("with 'trusted', is asked about each time where it is native", async () => {
    const kit = openAdmitted({ trusted: true });
    const { client_id } =
      (await register(kit, { redirect_uris: ["http://127.0.0.1/cb"] }, initialAccessToken)).body;
    assertEquals((await findClient(kit.server.context, client_id))?.rememberConsent, false);
  });

  it("with 'trusted', still has its keys fetched by the guarded way alone (CVE-2026-1180)", async () => {
    const asked: string[] = [];
    const guarded = async (url: string) => (asked.push(url), Response.json({ keys: [] }));
    const kit = openAdmitted({ trusted: true }, {
      fetchUntrusted: guarded,
      fetch: () => Promise.reject(new Error("unguarded")),
    });
    const metadata = {
      token_endpoint_auth_method: "private_key_jwt",
      jwks_uri: "https://app.example/jwks",
    };
    const { client_id } = (await register(kit, metadata, initialAccessToken)).body;
    const client_assertion = await (await makeClientKey()).sign(assertionClaims(kit, client_id));
    await kit.token({
      grant_type: "authorization_code",
      code: "x",
      client_assertion_type: assertionType,
      client_assertion,
    });
    assertEquals(asked, ["https://app.example/jwks"]);
  });

  it("with 'pkce', may leave a challenge out if it is confidential, and never if it is public", async () => {
    const kit = openAdmitted({ pkce: "optional" });
    const without = async (changes: object) => {
      const { client_id } = (await register(kit, changes, initialAccessToken)).body;
      return (await open(kit, client_id, {
        code_challenge: undefined,
        code_challenge_method: undefined,
      })).html;
    };
    assertStringIncludes(
      await without({ token_endpoint_auth_method: "client_secret_basic" }),
      'id="sign-in"',
    );
    assertStringIncludes(await without({}), "PKCE is required");
  });

  it("Q9: with 'pkce', redeems a code without a challenge only while it is confidential", async () => {
    const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined };
    const confidential = { token_endpoint_auth_method: "client_secret_basic" };
    const redeemAs = async (method: string) => {
      const kit = openAdmitted({ pkce: "optional" });
      const { body } = await register(kit, confidential, initialAccessToken);
      const { client_id, client_secret, registration_access_token, registration_client_uri } = body;
      const callback = await kit.authorize({ client_id, redirect_uri, ...withoutPkce });
      await sendJson(kit, "PUT", registration_client_uri, {
        ...{ client_id, redirect_uris: [redirect_uri], token_endpoint_auth_method: method },
      }, registration_access_token);
      const isPublic = method === "none";
      return (await kit.token({
        grant_type: "authorization_code",
        code: callback.get("code") ?? "",
        redirect_uri,
        ...isPublic && { client_id },
      }, isPublic ? {} : basic(client_id, client_secret))).body;
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
      const metadata = {
        token_endpoint_auth_method: "private_key_jwt",
        jwks: { keys: [key.publicJwk] },
        grant_types: ["client_credentials"],
      };
      const { client_id } = (await register(
        kit,
        { ...metadata, redirect_uris: undefined, response_types: [] },
        initialAccessToken,
      )).body;
      const client_assertion = await key.sign({
        ...assertionClaims(kit, client_id),
        aud: `${kit.issuer}/oauth2/token`,
      });
      const fields = {
        grant_type: "client_credentials",
        client_assertion_type: assertionType,
        client_assertion,
      };
      return (await kit.token(fields)).status;
    };
    assertEquals(
      [await statusWith({ assertionAudience: "token-endpoint" }), await statusWith({})],
      [200, 401],
    );
  });
});

describe("What a client showed when it registered", () => {
  const lenient = {
    initialAccessToken,
    trusted: true,
    pkce: "optional",
    assertionAudience: "token-endpoint",
  } as const;
  const metadata = {
    redirect_uris: [redirect_uri],
    token_endpoint_auth_method: "client_secret_basic",
  };
  const factsOf = async (kit: Kit, id: string) => {
    const { trusted, pkce, assertionAudience, registration } =
      (await findClient(kit.server.context, id))!;
    return [registration?.initialAccess ?? false, trusted, pkce, assertionAudience];
  };
  const strict = [false, false, "required", "issuer"];

  /**
   * Registers under one policy; the server then runs under another one, and the client registers
   * anew.
   */
  async function moved(from: RegistrationPolicy, to: RegistrationPolicy) {
    const store = memoryStore();
    const { body } = await register(openServer(from, { store }), metadata, initialAccessToken);
    const kit = openServer(to, { store });
    const before = await factsOf(kit, body.client_id);
    const changed = { ...metadata, client_id: body.client_id };
    const { status } = await sendJson(
      kit,
      "PUT",
      body.registration_client_uri,
      changed,
      body.registration_access_token,
    );
    return { kit, status, before, after: await factsOf(kit, body.client_id) };
  }

  it("is kept by a change, and never gained by one", async () => {
    const { status, before, after } = await moved("open", lenient);
    assertEquals([status, before, after], [200, strict, strict]);
  });

  it("counts as the current settings allow: nothing under stricter ones, more at its next change under others", async () => {
    const admitted = [true, false, "required", "issuer"];
    const stricter = await moved(lenient, { initialAccessToken });
    assertEquals([stricter.before, stricter.after], [admitted, admitted]);
    const laxer = await moved({ initialAccessToken }, lenient);
    assertEquals([laxer.before, laxer.after], [admitted, [
      true,
      true,
      "optional",
      "token-endpoint",
    ]]);
  });

  it("is listed among the leniencies, of the server and of each client", async () => {
    const { kit } = await moved(lenient, lenient);
    const clients = (await listClients(kit.server.context)).map(({ value }) => value).filter((
      { registration },
    ) => registration);
    const found = findLeniencies(kit.server.context.settings, clients).map(({ setting }) =>
      setting.replace(/^client .*:/, "client:")
    );
    for (const member of ["trusted", "pkce", "assertionAudience"]) {
      assert(
        found.includes(`registration.${member}`) && found.includes(`client: ${member}`),
        member,
      );
    }
  });

  it("is no leniency where it grants nothing", () => {
    const { settings } = openServer({ initialAccessToken }).server.context;
    assertEquals(
      findLeniencies(settings, []).filter(({ setting }) => setting.startsWith("registration")),
      [],
    );
  });
});

describe("The pages that name an untrusted client", () => {
  it("L6: warn of it at sign-in and at the choice of an account", async () => {
    const kit = openServer("open");
    const browser = kit.browser();
    const signIn = await open(kit, documentUrl, { prompt: "select_account" }, browser);
    await browser.signIn(signIn);
    const selectAccount = await open(kit, documentUrl, { prompt: "select_account" }, browser);
    assertStringIncludes(selectAccount.html, 'id="select-account"');
    for (const { html } of [signIn, selectAccount]) {
      assertMatch(
        textOf(html),
        /describes itself at app\.example \. Its identity is not verified\. What you allow is sent to app\.example/,
      );
    }
  });
});

describe("The grants of clients that are not configured", () => {
  const grantTypes = ["client_credentials"];
  const service = { grant_types: grantTypes, redirect_uris: undefined, response_types: [] };
  const confidential = { ...service, token_endpoint_auth_method: "client_secret_basic" };

  /** Registers a service, and returns the result of its token request, or why it has none. */
  async function serviceIn(kit: Kit, token?: string, fields: Fields = {}) {
    const { status, body } = await register(kit, confidential, token);
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

  it("T25: are listed for the holders of the initial access token", async () => {
    const allow = { grantTypes, scopes: ["read"], resources: [api] };
    const kit = openReal({ initialAccessToken, allow });
    assertEquals(await serviceIn(kit, initialAccessToken), "read");
    assertEquals(await serviceIn(kit, initialAccessToken, { resource: api }), "read");
    assertEquals(await serviceIn(kit, initialAccessToken, { scope: "write" }), "invalid_scope");
    const elsewhere = { resource: "https://else.example" };
    assertEquals(await serviceIn(kit, initialAccessToken, elsewhere), "invalid_target");
  });

  it("are no others than the listed ones", async () => {
    const kit = openReal({ initialAccessToken, allow: { grantTypes } });
    const { status, body } = await register(kit, {}, initialAccessToken);
    assertEquals([status, body.error], [400, "invalid_client_metadata"]);
    const without = openReal({ initialAccessToken, allow: { grantTypes: ["authorization_code"] } });
    assertEquals(await serviceIn(without, initialAccessToken), "invalid_client_metadata");
  });

  it("T25: are for confidential clients only", async () => {
    const kit = openReal({ initialAccessToken, allow: { grantTypes } });
    const metadata = { ...service, token_endpoint_auth_method: "none" };
    assertEquals((await register(kit, metadata, initialAccessToken)).status, 400);
  });

  it("shrink at once if the setting does", async () => {
    const store = memoryStore();
    const first = openReal({ initialAccessToken, allow: { grantTypes } }, { store });
    const { client_id, client_secret } =
      (await register(first, confidential, initialAccessToken)).body;
    const allow = { grantTypes: ["authorization_code"] };
    const second = openReal({ initialAccessToken, allow }, { store });
    const grant = { grant_type: "client_credentials" };
    const { body } = await second.token(grant, basic(client_id, client_secret));
    assertEquals(body.error, "unauthorized_client");
  });

  it("L7: never include client credentials for an open registration of a server", async () => {
    assertEquals(await serviceIn(openReal("open")), "invalid_client_metadata");
    for (const policy of [{ open: true }, {}]) {
      const error = assertThrows(
        () => openReal({ ...policy, allow: { grantTypes } }),
        ConfigError,
      );
      assertMatch(
        error.message,
        /registration\.allow\.grantTypes contains 'client_credentials', which needs initialAccessToken/,
      );
    }
  });

  it("L7: include client credentials for a metadata document only in a lab, by name", async () => {
    const key = await makeClientKey();
    const document = serveDocument({
      grant_types: ["authorization_code", ...grantTypes],
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [key.publicJwk] },
    });
    const grantsIn = async (open: typeof openReal, registration: RegistrationPolicy) => {
      const more = { clientMetadataDocuments: true, fetchUntrusted: document };
      const { server } = open(registration, more);
      return (await lookUpClient(contextIn(server), documentUrl))?.grantTypes;
    };
    const allow = { grantTypes: ["authorization_code", ...grantTypes] };
    assertEquals(await grantsIn(openReal, { initialAccessToken, allow }), ["authorization_code"]);
    assertEquals(await grantsIn(openServer, { open: true }), ["authorization_code"]);
    assertEquals(await grantsIn(openServer, { open: true, allow }), allow.grantTypes);
  });

  it("include client credentials for open registration in a lab, by name", async () => {
    assertEquals(await serviceIn(openKit()), "invalid_client_metadata");
    const policy = { open: true, allow: { grantTypes } };
    const kit = openLabKit({ registration: policy });
    assertEquals(await serviceIn(kit, undefined, { scope: "read" }), "read");
    const narrow = openKit({
      registration: { ...policy, allow: { grantTypes, scopes: ["read"] } },
    });
    assertEquals(await serviceIn(narrow), "read");
    assertEquals(await serviceIn(narrow, undefined, { scope: "write" }), "invalid_scope");
    assertReport(kit.lab, {
      leniencies: [
        "registration.allow.grantTypes: client_credentials",
      ],
    });
    const tooMuch = { open: true, allow: { grantTypes: [jwtBearerGrantType] } };
    assertThrows(() => openKit({ registration: tooMuch }), ConfigError);
  });

  it("cannot be listed if the server does not have them", () => {
    const registration = { initialAccessToken, allow: { grantTypes: ["password"] } };
    const error = assertThrows(() => openReal(registration), ConfigError);
    assertMatch(error.message, /contains 'password', which is not among the server's grantTypes/);
  });
});
