import { assert, assertEquals, assertExists, assertMatch } from "@std/assert";
import { decodeProtectedHeader, importJWK, jwtVerify } from "jose";
import { describe, it } from "node:test";
import { featureFixtures, fixturesOf } from "../features.ts";
import {
  assertion,
  assertionClaims,
  assertionType,
  makeClientKey,
  seconds,
  signWithSecret,
} from "../support/client_key.ts";
import { makeProof, proofKey } from "../support/dpop.ts";
import { basic, claimsOf, type Fields, type Kit, openKit, read, service } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { hasFeature } from "../support/where_feature.ts";

/**
 * The metadata cannot promise what is not there: every value of every member is used here, and a
 * member that nobody uses fails the test.
 */

const callback = "https://hallpass.test/authorized";
const secret = "a-secret-that-is-long-enough-for-every-hmac-of-a-client-0123456789abcdef";

/** A lab with whatever clients a use needs. */
function open(client: Record<string, unknown> = {}, options: Record<string, unknown> = {}): Kit {
  return openKit({
    clients: [{ id: "demo-spa", redirectUris: [callback], ...client }],
    fetchUntrusted: serveDocument,
    ...options,
  });
}

const documentUrl = "https://app.example/client";
const serveDocument = async () =>
  Response.json({ client_id: documentUrl, client_name: "App", redirect_uris: [callback] });

/** How the response of one authorization comes. */
async function authorizationResponse(kit: Kit, changes: Fields): Promise<Record<string, string>> {
  const browser = kit.browser();
  const page = await browser.open(kit.authorizationUrl(changes));
  const consent = await browser.signIn(page);
  const answered = await browser.decide(consent);
  if (answered.html.includes('id="form-post"')) {
    return Object.fromEntries(
      [...answered.html.matchAll(/name="(\w+)" value="([^"]*)"/g)].map((
        [, name, value],
      ) => [name, value]),
    );
  }
  const { search, hash } = new URL(answered.url);
  return Object.fromEntries(new URLSearchParams(hash ? hash.slice(1) : search));
}

/** Checks a signature of the server with the key that it publishes. */
async function verified(kit: Kit, jwt: string, alg: string) {
  const { body } = await read(await kit.get("/oauth2/jwks"));
  const header = decodeProtectedHeader(jwt);
  assertEquals(header.alg, alg);
  const jwk = body.keys.find(({ kid }) => kid === header.kid);
  assertExists(jwk);
  return (await jwtVerify(jwt, await importJWK(jwk), { currentDate: new Date(kit.clock.now) }))
    .payload;
}

const redeem = async (
  kit: Kit,
  changes: Fields = {},
  fields: Fields = {},
  headers?: Record<string, string>,
) => (await kit.redeem(await kit.code(changes), fields, headers)).body;

async function authenticates(method: string, alg?: string): Promise<Kit> {
  const key = method === "private_key_jwt" ? await makeClientKey(alg) : undefined;
  const options = method === "none" ? {} : key ? { jwks: { keys: [key.publicJwk] } } : { secret };
  const scopes = ["openid", "read"];
  const kit = open({
    ...options,
    scopes,
    authentication: [method],
    redirectUris: [callback],
    grantTypes: ["authorization_code"],
  });
  const [fields, headers] = await credentials(kit, method, key, alg);
  const tokens = await redeem(
    kit,
    { scope: "openid read" },
    { client_id: undefined, ...fields },
    headers,
  );
  assert(tokens.access_token, JSON.stringify(tokens));
  const [asked] = await credentials(kit, method, key, alg);
  if (hasFeature("introspection")) {
    const told = await kit.introspect(tokens.access_token, asked, headers);
    assertEquals(told.body.active, method === "none" ? undefined : true);
  }
  if (hasFeature("revocation")) {
    const [asking] = await credentials(kit, method, key, alg);
    assertEquals((await kit.revoke(tokens.access_token, asking, headers)).status, 200);
  }
  return kit;
}

async function credentials(
  kit: Kit,
  method: string,
  key: Awaited<ReturnType<typeof makeClientKey>> | undefined,
  alg = "HS256",
): Promise<[Fields, Record<string, string>]> {
  if (method === "none") return [{ client_id: "demo-spa" }, {}];
  if (method === "client_secret_basic") return [{}, basic("demo-spa", secret)];
  if (method === "client_secret_post") {
    return [{ client_id: "demo-spa", client_secret: secret }, {}];
  }
  if (key) return [await assertion(kit, "demo-spa", key), {}];
  const jwt = await signWithSecret(secret, assertionClaims(kit, "demo-spa"), alg);
  return [{ client_assertion_type: assertionType, client_assertion: jwt }, {}];
}

const byAssertion = (alg: string) =>
  authenticates(alg.startsWith("HS") ? "client_secret_jwt" : "private_key_jwt", alg);

async function answers(
  kit: Kit,
  url: string,
  request: (path: string) => Promise<Response>,
): Promise<void> {
  const { status } = await request(url.slice(kit.issuer.length));
  const problem = `${url} answers ${status}: if it takes GET alone, name it where takesGet is used`;
  assert(status !== 404 && status !== 405 && status < 500, problem);
}

const takesPost = async (url: string) => answers(open(), url, (path) => open().post(path, {}));
const takesGet = async (url: string) => answers(open(), url, (path) => open().get(path));

const grants: Record<string, (kit: Kit) => Promise<unknown>> = {
  authorization_code: (kit) => redeem(kit),
  async refresh_token(kit) {
    const { refresh_token } = await redeem(kit);
    return (await kit.refresh(refresh_token)).body;
  },
  client_credentials: async (kit) =>
    (await kit.token({ grant_type: "client_credentials" }, service)).body,
  ...fixturesOf("grants"),
};

const signs = (member: string) => async (alg: string) => {
  const kit = open({ [member]: alg, secret });
  return {
    kit,
    tokens: await redeem(kit, {}, { client_id: undefined }, basic("demo-spa", secret)),
  };
};

/** What is done with each value of a member, or with the value as a whole. */
const uses: Record<string, (value: string) => Promise<unknown>> = {
  issuer: async (issuer) => assertEquals(claimsOf((await redeem(open())).id_token).iss, issuer),
  authorization_endpoint: takesGet,
  token_endpoint: takesPost,
  registration_endpoint: takesPost,
  ...Object.fromEntries(
    Object.keys(fixturesOf("endpointFields"))
      .map((name) => [name, name === "end_session_endpoint" ? takesGet : takesPost]),
  ),
  userinfo_endpoint: takesGet,
  jwks_uri: takesGet,
  async scopes_supported(scope) {
    const { scope: granted } = await redeem(open(), {
      scope: `openid ${scope}`,
      prompt: "consent",
    });
    assert(granted.split(" ").includes(scope), granted);
  },
  response_types_supported: async (response_type) => assert(await open().code({ response_type })),
  async response_modes_supported(response_mode) {
    const base = response_mode.replace(/\.?jwt$/, "") || "query";
    const kit = open({ responseModes: [base] });
    const response = await authorizationResponse(kit, { response_mode });
    assert(
      response_mode.endsWith("jwt") ? claimsOf(present(response.response)).code : response.code,
    );
  },
  async authorization_signing_alg_values_supported(alg) {
    const kit = open({ authorizationResponseAlg: alg });
    const { response } = await authorizationResponse(kit, { response_mode: "jwt" });
    assertEquals((await verified(kit, present(response), alg)).aud, "demo-spa");
  },
  async grant_types_supported(type) {
    const redeemGrant = grants[type];
    assert(redeemGrant, `Add ${type} to the grants in the fixtures of its feature.`);
    const tokens = await redeemGrant(openKit()) as Record<string, string>;
    assert(tokens.access_token, JSON.stringify(tokens));
  },
  subject_types_supported: async (subjectType) => {
    const { sub } = claimsOf((await redeem(open({ subjectType }))).id_token);
    assertEquals(sub === "alice", subjectType === "public");
  },
  async id_token_signing_alg_values_supported(alg) {
    const { kit, tokens } = await signs("idTokenAlg")(alg);
    await verified(kit, tokens.id_token, alg);
  },
  async userinfo_signing_alg_values_supported(alg) {
    const { kit, tokens } = await signs("userinfoAlg")(alg);
    const answer = await kit.userinfo(tokens.access_token);
    assertEquals((await verified(kit, answer.text, alg)).sub, "alice");
  },
  ...hasFeature("introspection") && {
    async introspection_signing_alg_values_supported(alg: string) {
      const { kit, tokens } = await signs("introspectionAlg")(alg);
      const accepted = { Accept: "application/token-introspection+jwt" };
      const headers = { ...basic("demo-spa", secret), ...accepted };
      const answer = await kit.introspect(tokens.access_token, {}, headers);
      await verified(kit, answer.text, alg);
    },
  },
  ...Object.assign(
    {},
    ...["token", ...["revocation", "introspection"].filter((name) => hasFeature(name))].map((
      endpoint,
    ) => ({
      [`${endpoint}_endpoint_auth_methods_supported`]: (method: string) => authenticates(method),
      [`${endpoint}_endpoint_auth_signing_alg_values_supported`]: byAssertion,
    })),
  ),
  async dpop_signing_alg_values_supported(alg) {
    const kit = open();
    const key = await proofKey(alg);
    const tokens = await redeem(kit, {}, {}, {
      DPoP: await makeProof(key, "POST", `${kit.issuer}/oauth2/token`),
    });
    assertEquals([tokens.token_type, claimsOf(tokens.access_token).cnf.jkt], ["DPoP", key.jkt]);
  },
  async acr_values_supported(acr) {
    assertEquals(claimsOf((await redeem(open(), { acr_values: acr })).id_token).acr, acr);
  },
  async client_id_metadata_document_supported() {
    const { access_token } = await redeem(open(), { client_id: documentUrl }, {
      client_id: documentUrl,
    });
    assertEquals(claimsOf(access_token).client_id, documentUrl);
  },
  async authorization_details_types_supported(type) {
    const members: Record<string, object> = {
      payment_initiation: {
        instructedAmount: { currency: "EUR", amount: "1.00" },
        creditorName: "Shop",
      },
      file_access: { actions: ["read"], path: "/a" },
    };
    const { authorization_details } = await redeem(open(), {
      authorization_details: JSON.stringify([{ type, ...members[type] }]),
    });
    assertEquals(authorization_details[0]?.type, type);
  },
  code_challenge_methods_supported: async (code_challenge_method) =>
    assert(await open().code({ code_challenge_method })),
  async claims_supported(name) {
    const claims = JSON.stringify({ id_token: { [name]: { essential: true } } });
    // Only a client that takes part in logout is told the session, and features may be deleted.
    const takesPart = featureFixtures.find((each) => each.takesPart)?.takesPart;
    if (name === "sid" && !takesPart && !hasFeature("logout")) return;
    const kit = open(takesPart);
    const { id_token } = await redeem(kit, { claims, scope: "openid profile email address phone" });
    assert(name in claimsOf(id_token), name);
  },
  async prompt_values_supported(prompt) {
    const kit = open();
    const browser = kit.browser();
    await kit.authorize({}, { user: "alice" }, browser);
    assertEquals((await kit.authorize({ prompt }, { user: "alice" }, browser)).get("error"), null);
  },
  authorization_response_iss_parameter_supported: async () =>
    assertEquals((await open().authorize()).get("iss"), "https://hallpass.test"),
  ...fixturesOf("metadata"),
  async claims_parameter_supported() {
    const { id_token } = await redeem(open(), {
      claims: '{"id_token":{"email":null}}',
      scope: "openid email",
    });
    assertEquals(claimsOf(id_token).email, "alice@example.com");
  },
  async ui_locales_supported(ui_locales) {
    const kit = open();
    const { html } = await kit.browser().open(kit.authorizationUrl({ ui_locales }));
    assertMatch(html, new RegExp(`<html lang="${ui_locales}"`));
  },
  display_values_supported: async (display) => assert(await open().code({ display })),
  request_parameter_supported: () => requestObject("ES256"),
  request_object_signing_alg_values_supported: requestObject,
  async request_uri_parameter_supported() {
    const answer = await open().get(
      open().authorizationUrl({ request_uri: "https://app.example/request" }).slice(
        "https://hallpass.test".length,
      ),
    );
    assertMatch(answer.headers.get("Location") ?? await answer.text(), /request_uri_not_supported/);
  },
};

async function requestObject(alg: string): Promise<void> {
  const key = await makeClientKey(alg);
  const kit = open({ jwks: { keys: [key.publicJwk] }, authentication: ["private_key_jwt"] });
  const { searchParams } = new URL(kit.authorizationUrl());
  const request = await key.sign({
    ...Object.fromEntries(searchParams),
    iss: "demo-spa",
    aud: kit.issuer,
    exp: seconds(kit) + 60,
  });
  const asked = await kit.browser().authorize(
    `${kit.issuer}/oauth2/authorize?${new URLSearchParams({ client_id: "demo-spa", request })}`,
  );
  assert(new URL(asked).searchParams.get("code"));
}

describe("What the metadata promises", () => {
  it("is used here, every member of it", async () => {
    const { body } = await read(await open().get("/.well-known/openid-configuration"));
    assertEquals(Object.keys(body).filter((name) => !uses[name]), []);
  });

  const absent = [
    ...hasFeature("registration") ? [] : ["registration_endpoint"],
    ...hasFeature("metadata documents") ? [] : ["client_id_metadata_document_supported"],
  ];
  for (const member of Object.keys(uses).filter((each) => !absent.includes(each))) {
    it(`${member}: every value of it works`, async () => {
      const { body } = await read(await open().get("/.well-known/openid-configuration"));
      assert(member in body, `the metadata of a lab has no ${member}`);
      for (const value of [(body as Record<string, unknown>)[member]].flat() as string[]) {
        await present(uses[member])(value);
      }
    });
  }
});
