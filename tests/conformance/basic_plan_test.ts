import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { decodeProtectedHeader, jwtVerify, UnsecuredJWT } from "jose";
import { describe, it } from "node:test";
import type { ClientConfig } from "../../src/server/features.ts";
import { challenge, claimsOf, encode, type Fields, read, verifier } from "../support/flow_kit.ts";
import {
  callbackUri,
  codeOf,
  openSuite,
  registrations,
  type Suite,
  type SuiteResponseMode,
} from "./suite.ts";

/** One module of a plan: what it shows, and how, with settings of the client. */
type PlanModule = [
  shows: string,
  run: (suite: Suite) => Promise<void>,
  client?: Partial<ClientConfig>,
];

const scopeClaims: Record<string, readonly string[]> = {
  profile: [
    "birthdate",
    "family_name",
    "gender",
    "given_name",
    "locale",
    "middle_name",
    "name",
    "nickname",
    "picture",
    "preferred_username",
    "profile",
    "updated_at",
    "website",
    "zoneinfo",
  ],
  email: ["email", "email_verified"],
  address: ["address"],
  phone: ["phone_number", "phone_number_verified"],
};

/** The modules of oidcc-basic-certification-test-plan, in its order. */
const modules: Record<string, PlanModule> = {
  "oidcc-server": ["the flow leads to tokens that the published keys verify", async (suite) => {
    const { id_token, access_token } = await suite.tokens();
    const { payload } = await jwtVerify(id_token, await suite.keys(), {
      issuer: suite.kit.issuer,
      audience: suite.clientId,
      currentDate: new Date(suite.kit.clock.now),
    });
    assertEquals([payload.sub, payload.nonce], ["alice", "a-nonce"]);
    assertEquals((await suite.userinfo(access_token)).body.sub, payload.sub);
  }],
  "oidcc-response-type-missing": [
    "invalid_request",
    (suite) => expectError(suite, { response_type: undefined }, /^invalid_request$/),
  ],
  "oidcc-idtoken-signature": [
    "an ID token is signed with RS256, and its kid names a published key",
    async (suite) => {
      const { id_token } = await suite.tokens();
      const { alg, kid } = decodeProtectedHeader(id_token);
      const { body } = await read(await suite.kit.get("/oauth2/jwks"));
      assertEquals([alg, body.keys.some((key) => key.kid === kid)], ["RS256", true]);
    },
  ],
  "oidcc-idtoken-unsigned": [
    "'none' is not offered, so the suite skips the rest of the module",
    async ({ kit }) => {
      const { body } = await read(await kit.get("/.well-known/openid-configuration"));
      assertEquals(body.id_token_signing_alg_values_supported.includes("none"), false);
    },
  ],
  "oidcc-userinfo-get": ["userinfo by GET", async (suite) => {
    const { access_token } = await suite.tokens();
    assertEquals((await suite.userinfo(access_token)).body.sub, "alice");
  }],
  "oidcc-userinfo-post-header": ["userinfo by POST with the token in the header", async (suite) => {
    const { access_token } = await suite.tokens();
    const headers = { Authorization: `Bearer ${access_token}` };
    const response = await read(await suite.kit.post("/oauth2/userinfo", {}, headers));
    assertEquals(response.body.sub, "alice");
  }],
  "oidcc-userinfo-post-body": ["userinfo by POST with the token in the body", async (suite) => {
    const { access_token } = await suite.tokens();
    const response = await read(await suite.kit.post("/oauth2/userinfo", { access_token }));
    assertEquals(response.body.sub, "alice");
  }],
  "oidcc-ensure-request-without-nonce-succeeds-for-code-flow": [
    "a request without a nonce leads to an ID token without one",
    async (suite) => {
      const { id_token } = await suite.tokens({ nonce: undefined });
      assertEquals("nonce" in claimsOf(id_token), false);
    },
  ],
  ...Object.fromEntries(
    Object.entries(scopeClaims).map(([scope, claims]) => [
      `oidcc-scope-${scope}`,
      returnsClaims(`openid ${scope}`, claims),
    ]),
  ),
  "oidcc-scope-all": returnsClaims(
    "openid profile email address phone",
    Object.values(scopeClaims).flat(),
  ),
  "oidcc-alternate-happy-flow": succeedsWith({ scope: "email openid" }),
  "oidcc-display-page": succeedsWith({ display: "page" }),
  "oidcc-display-popup": succeedsWith({ display: "popup" }),
  "oidcc-prompt-login": signsInAgain({ prompt: "login" }),
  "oidcc-prompt-none-not-logged-in": [
    "login_required, without a page",
    (suite) => expectError(suite, { prompt: "none" }, /^login_required$/),
  ],
  "oidcc-prompt-none-logged-in": keepsSignIn({ prompt: "none" }),
  "oidcc-max-age-1": signsInAgain({ max_age: "1" }),
  "oidcc-max-age-10000": keepsSignIn({ max_age: "10000" }),
  "oidcc-ensure-request-with-unknown-parameter-succeeds": succeedsWith({ extra: "foobar" }),
  "oidcc-id-token-hint": [
    "with prompt=none, the code is for the user of the hint",
    async (suite) => {
      const browser = suite.kit.browser();
      const { id_token } = await suite.tokens({}, browser);
      const hinted = await suite.tokens({ prompt: "none", id_token_hint: id_token }, browser);
      assertEquals(claimsOf(hinted.id_token).sub, "alice");
    },
  ],
  "oidcc-login-hint": succeedsWith({ login_hint: "alice" }),
  "oidcc-ui-locales": succeedsWith({ ui_locales: "se" }),
  "oidcc-claims-locales": succeedsWith({ claims_locales: "se" }),
  "oidcc-ensure-request-with-acr-values-succeeds": ["the ID token names an acr", async (suite) => {
    const { id_token } = await suite.tokens({ acr_values: "1 2" });
    assertMatch(claimsOf(id_token).acr, /./);
  }],
  "oidcc-codereuse": [
    "invalid_grant for a code that was used",
    (suite) => expectCodeReuseFails(suite, 0),
  ],
  "oidcc-codereuse-30seconds": [
    "invalid_grant 30 seconds later, and the access token is revoked",
    (suite) => expectCodeReuseFails(suite, 30),
  ],
  "oidcc-ensure-registered-redirect-uri": [
    "an error page, not a redirect, for another redirect URI",
    (suite) => expectErrorPage(suite, { redirect_uri: `${callbackUri}/other` }),
  ],
  "oidcc-ensure-post-request-succeeds": ["an authorization request by POST", async (suite) => {
    const [endpoint = "", query = ""] = suite.urlOf().split("?");
    const browser = suite.kit.browser();
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const init = { method: "POST", headers: form, body: query };
    const location = (await browser.request(endpoint, init)).headers.get("Location") ?? "";
    const { parameters } = await suite.follow(new URL(location, endpoint).href, browser);
    assertEquals((await suite.redeem(codeOf(parameters))).status, 200);
  }],
  "oidcc-server-client-secret-post": [
    "tokens for a client that sends its secret in the body",
    async (suite) => {
      const code = codeOf((await suite.authorize()).parameters);
      const fields = { grant_type: "authorization_code", code, redirect_uri: callbackUri };
      const { status, body } = await suite.kit.token({ ...fields, ...suite.secretFields });
      assertEquals([status, body.token_type], [200, "Bearer"]);
    },
    { authentication: ["client_secret_post"] },
  ],
  "oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported": [
    "an error: request objects are not fetched",
    (suite) =>
      expectError(
        suite,
        { request_uri: "https://suite.example/object" },
        /^(request_uri_not_supported|invalid_request|invalid_request_uri)$/,
      ),
  ],
  "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported": [
    "an error: an unsigned request object is not ignored",
    (suite) =>
      expectError(
        suite,
        { request: unsignedObject(suite, { state: "inside" }) },
        /^(request_not_supported|invalid_request|invalid_request_object)$/,
      ),
  ],
  "oidcc-claims-essential": ["userinfo has an essential claim", async (suite) => {
    const claims = '{"userinfo":{"name":{"essential":true}}}';
    const { access_token } = await suite.tokens({ claims });
    assertEquals((await suite.userinfo(access_token)).body.name, "Alice Adler");
  }],
  "oidcc-ensure-request-object-with-redirect-uri": [
    "no redirect to the URI of an unsigned request object",
    async (suite) => {
      const redirect_uri = "https://attacker.example/callback";
      const { parameters, page } = await suite.authorize({
        request: unsignedObject(suite, { redirect_uri }),
      });
      assert(!page.url.startsWith(redirect_uri), page.url);
      assertEquals(parameters.has("code"), false);
    },
  ],
  "oidcc-refresh-token": [
    "a new ID token of the same sign-in, for the same client alone",
    async (suite) => {
      const { id_token, refresh_token } = await suite.tokens({ acr_values: "1" });
      suite.kit.clock.advance(100);
      const fields = { grant_type: "refresh_token", refresh_token };
      const stolen = await suite.kit.token({ ...fields, client_id: "another-client" });
      assertEquals(stolen.status, 401);
      const { status, body } = await suite.token(fields);
      assertEquals([status, body.token_type], [200, "Bearer"]);
      const [before, after] = [claimsOf(id_token), claimsOf(body.id_token)];
      assertEquals([after.sub, after.aud, after.iss], [before.sub, before.aud, before.iss]);
      assertEquals([after.auth_time, after.iat - before.iat], [before.auth_time, 100]);
      assertEquals("nonce" in after, false);
    },
  ],
  "oidcc-ensure-request-with-valid-pkce-succeeds": [
    "tokens for the right verifier, and none for another",
    async (suite) => {
      const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
      const [first, second] = [await suite.authorize(pkce), await suite.authorize(pkce)];
      const redeem = async ({ parameters }: typeof first, code_verifier: string) =>
        (await suite.redeem(codeOf(parameters), { code_verifier })).status;
      assertEquals([await redeem(first, verifier), await redeem(second, `${verifier}x`)], [
        200,
        400,
      ]);
    },
  ],
};

const plans: ReadonlyArray<{ plan: string; responseMode: SuiteResponseMode }> = [
  { plan: "oidcc-basic-certification-test-plan", responseMode: "query" },
  { plan: "oidcc-formpost-basic-certification-test-plan", responseMode: "form_post" },
];

for (const registration of registrations) {
  for (const { plan, responseMode } of plans) {
    describe(`${plan}, as a ${registration} client`, () => {
      for (const [name, [shows, run, client = {}]] of Object.entries(modules)) {
        it(`${name}: ${shows}`, async () => {
          await run(await openSuite({ registration, responseMode, client }));
        });
      }
    });
  }
}

/** A module that only asks for success. */
function succeedsWith(fields: Fields): PlanModule {
  const [[name = "", value] = []] = Object.entries(fields);
  return [`success with ${name}=${value}`, async (suite) => {
    assertEquals((await suite.tokens(fields)).token_type, "Bearer");
  }];
}

async function expectError(suite: Suite, fields: Fields, error: RegExp): Promise<void> {
  const { parameters } = await suite.authorize(fields);
  assertMatch(parameters.get("error") ?? "", error);
  assertEquals([parameters.get("state"), parameters.has("code")], ["a-state", false]);
}

async function expectErrorPage(suite: Suite, fields: Fields): Promise<void> {
  const { parameters, page } = await suite.authorize(fields);
  assertEquals([page.status, [...parameters]], [400, []]);
}

function returnsClaims(scope: string, claims: readonly string[]): PlanModule {
  return ["userinfo has the claims of the scope, the ID token has not", async (suite) => {
    const { access_token, id_token } = await suite.tokens({ scope });
    const userinfo = (await suite.userinfo(access_token)).body;
    assertEquals(Object.keys(userinfo).sort(), [...claims, "sub"].sort());
    assertEquals(claims.filter((claim) => claim in claimsOf(id_token)), []);
  }];
}

function signsInAgain(fields: Fields): PlanModule {
  return ["the user signs in again, at a later time", async (suite) => {
    const [first, second] = await signInTwice(suite, fields);
    assertEquals([second.sub, second.auth_time - first.auth_time], [first.sub, 2]);
  }];
}

function keepsSignIn(fields: Fields): PlanModule {
  return ["the same user and the same sign-in", async (suite) => {
    const [first, second] = await signInTwice(suite, fields);
    assertEquals([second.sub, second.auth_time], [first.sub, first.auth_time]);
  }];
}

/** Signs in, and sends another request of the same browser two seconds later. */
async function signInTwice(suite: Suite, fields: Fields) {
  const browser = suite.kit.browser();
  const first = await suite.tokens({}, browser);
  suite.kit.clock.advance(2);
  const second = await suite.tokens(fields, browser);
  return [claimsOf(first.id_token), claimsOf(second.id_token)] as const;
}

async function expectCodeReuseFails(suite: Suite, seconds: number): Promise<void> {
  const code = codeOf((await suite.authorize()).parameters);
  const { access_token } = (await suite.redeem(code)).body;
  suite.kit.clock.advance(seconds);
  const { status, body } = await suite.redeem(code);
  assertEquals([status, body.error], [400, "invalid_grant"]);
  assertNotEquals((await suite.userinfo(access_token)).status, 200);
}

function unsignedObject({ kit, clientId, urlOf }: Suite, changes: Fields): string {
  const parameters = Object.fromEntries(new URL(urlOf()).searchParams);
  const inside = Object.fromEntries(encode({ ...parameters, ...changes }));
  return new UnsecuredJWT(inside).setIssuer(clientId).setAudience(kit.issuer).encode();
}
