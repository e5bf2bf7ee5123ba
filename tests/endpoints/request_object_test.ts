import { assert, assertEquals, assertMatch } from "@std/assert";
import type { JWTPayload } from "jose";
import { describe } from "node:test";
import type { ClientConfig } from "../../src/server/features.ts";
import { clientEndpoints, featureFixtures } from "../features.ts";
import type { Page } from "../support/browser.ts";
import {
  assertionType,
  type ClientKey,
  makeClientKey,
  seconds,
  signWithSecret,
} from "../support/client_key.ts";
import { itWith } from "../support/it_with.ts";
import { claimsOf, type Kit, openKit } from "../support/kit.ts";
import { itRefuses, type Play, toRows } from "../support/refusals.ts";

const it = itWith({
  withKit: () => openWith(),
  mustSign: () => openWith({ requireSignedRequest: true }),
});

const keys = { app: await makeClientKey("ES256"), other: await makeClientKey("ES256") };
const redirectUri = "https://hallpass.test/authorized";
const redirectUris = [redirectUri];
const app: ClientConfig = {
  id: "app",
  jwks: { keys: [keys.app.publicJwk] },
  redirectUris,
  authentication: ["none"],
};

function openWith(changes: Partial<ClientConfig> = {}): Kit {
  return openKit({ clients: [{ ...app, ...changes }, { id: "other", redirectUris }] });
}

/** The claims of a request object that is in order. */
function claims(kit: Kit, changes: Record<string, unknown> = {}): JWTPayload {
  const parameters = kit.parameters({ client_id: "app" });
  const times = { exp: seconds(kit) + 300, nbf: seconds(kit), iat: seconds(kit) };
  return { ...parameters, iss: "app", aud: kit.issuer, ...times, ...changes } as JWTPayload;
}

function urlOf(kit: Kit, request: string, outside: Record<string, string> = {}): string {
  const query = new URLSearchParams({ client_id: "app", request, ...outside });
  return `${kit.issuer}/oauth2/authorize?${query}`;
}

/** Returns the URL of a request whose object has changes. */
async function urlWith(kit: Kit, changes?: Claims, outside?: Record<string, string>) {
  return urlOf(kit, await keys.app.sign(claims(kit, changes)), outside);
}

/** Opens the page to which a request object leads. */
async function open(kit: Kit, changes?: Claims, outside?: Record<string, string>) {
  return await kit.browser().open(await urlWith(kit, changes, outside));
}

/** The parameters of the callback that a request object leads to. */
async function authorize(kit: Kit, changes?: Claims, outside?: Record<string, string>) {
  const callback = await kit.browser().authorize(await urlWith(kit, changes, outside));
  return new URL(callback).searchParams;
}

/** The error at the callback to which a page has led. */
const errorOf = ({ url }: Page) => new URL(url).searchParams.get("error");

type Claims = Record<string, unknown>;
type SignedClaims = [changes: Claims | ((kit: Kit) => Claims), header?: Claims, key?: ClientKey];

const canPush = clientEndpoints.includes("par");
const settings = { clients: [app, { id: "other", redirectUris }] };
const code = "invalid_request_object";

async function sign(kit: Kit, [changes, header, key = keys.app]: SignedClaims): Promise<string> {
  const changed = typeof changes === "function" ? changes(kit) : changes;
  return await key.sign(claims(kit, changed), header);
}

/** Sends a request object, beside parameters that would be in order. */
function sending(make: (kit: Kit) => string | Promise<string>): Play {
  const outside = { redirect_uri: redirectUri, state: "outside" };
  return async (kit) => kit.browser().open(urlOf(kit, await make(kit), outside));
}

function asking(...signed: SignedClaims): Play {
  return sending((kit) => sign(kit, signed));
}

function pushing(...signed: SignedClaims): Play {
  return async (kit) =>
    kit.sendForm("/oauth2/par", { client_id: "app", request: await sign(kit, signed) });
}

describe("A signed authorization request (RFC 9101; OpenID Connect Core, section 6)", () => {
  it.withKit("leads to a code, as any other", async (kit) => {
    const callback = await authorize(kit, { state: "inside" });
    assertEquals(callback.get("state"), "inside");
    assertEquals((await kit.redeem(callback.get("code")!, { client_id: "app" })).status, 200);
  });

  for (const alg of ["ES256", "PS256", "RS256", "EdDSA", "Ed25519"]) {
    it(`can be signed with ${alg}`, async () => {
      const key = await makeClientKey(alg);
      const kit = openWith({ jwks: { keys: [key.publicJwk] } });
      assertEquals((await kit.browser().open(urlOf(kit, await key.sign(claims(kit))))).status, 200);
    });
  }

  const accepted: Record<string, [changes: (kit: Kit) => Claims, header?: Claims]> = {
    "several audiences": [(kit) => ({ aud: ["https://other.example", kit.issuer] })],
    "no iss": [() => ({ iss: undefined })],
    "no times": [() => ({ exp: undefined, nbf: undefined, iat: undefined })],
    "an nbf an hour ago": [(kit) => ({ nbf: seconds(kit) - 3600 })],
    "an nbf 8 seconds ahead": [(kit) => ({ nbf: seconds(kit) + 8 })],
    "an hour to live": [(kit) => ({ exp: seconds(kit) + 3600 })],
    "numbers, lists and objects": [() => ({
      max_age: 300,
      resource: ["https://a.example", "https://b.example"],
      claims: { userinfo: { name: null } },
    })],
    "a member that is null": [() => ({ login_hint: null })],
    "typ: JWT": [() => ({}), { typ: "JWT" }],
    "typ: oauth-authz-req+jwt": [() => ({}), { typ: "oauth-authz-req+jwt" }],
    "that typ as a whole media type, in capitals": [() => ({}), {
      typ: "APPLICATION/OAUTH-AUTHZ-REQ+JWT",
    }],
  };
  for (const [what, [changes, header]] of Object.entries(accepted)) {
    it.withKit(`may have ${what}`, async (kit) => {
      const request = await keys.app.sign(claims(kit, changes(kit)), header);
      assertMatch((await kit.browser().open(urlOf(kit, request))).html, /id="sign-in"/);
    });
  }

  const otherClient = "its 'client_id' is not that of the request";
  const otherAud = "its 'aud' is not 'https://hallpass.test'";
  const nested = "it refers to another request object";
  const refused: Record<string, [reason: string, ...signed: SignedClaims]> = {
    "no client_id": [otherClient, { client_id: undefined }],
    "another client_id": [otherClient, { client_id: "other" }],
    "another iss": ["its 'iss' is not the client_id", { iss: "other" }],
    "a sub that makes it an assertion": ["its 'sub' is the client_id", { sub: "app" }],
    "no aud": [otherAud, { aud: undefined }],
    "another aud": [otherAud, { aud: "https://other.example" }],
    "an exp that is past": ["it expired 60 seconds ago", (kit) => ({ exp: seconds(kit) - 60 })],
    "an exp over 60 minutes ahead": [
      "its 'exp' is more than 3600 seconds in the future",
      (kit) => ({ exp: seconds(kit) + 3700 }),
    ],
    "an nbf over 60 seconds ahead": [
      "its 'nbf' is in the future",
      (kit) => ({ nbf: seconds(kit) + 61 }),
    ],
    "an nbf over 60 minutes ago": [
      "its 'nbf' is more than an hour ago",
      (kit) => ({ nbf: seconds(kit) - 3700 }),
    ],
    "an exp that is no number": ["its 'exp' is not a number", { exp: "soon" }],
    "a state that is half a character": ["no key of its signer", { state: "\ud800" }],
    "a request inside": [nested, { request: "x" }],
    "a request_uri inside": [nested, { request_uri: "urn:ietf:params:oauth:request_uri:x" }],
    "the typ of an access token": ["its 'typ' is not one of", {}, { typ: "at+jwt" }],
    "the key of another client": ["no key of its signer", {}, {}, keys.other],
  };
  describe("is refused on a page, and redirects nowhere, with", () => {
    itRefuses(
      toRows(refused, ([reason, ...signed]) => ["request.object", asking(...signed), reason]),
      { settings },
    );
  });

  if (canPush) {
    describe("cannot be pushed with", () =>
      itRefuses(
        toRows(refused, ([reason, ...signed]) => ["request.object", pushing(...signed), reason]),
        { settings },
      ));
  }

  const part = (value: object) => btoa(JSON.stringify(value)).replaceAll("=", "");
  const others: Record<string, (kit: Kit) => string | Promise<string>> = {
    "nothing like a JWT": () => "x",
    "alg: none": (kit) => `${part({ alg: "none" })}.${part(claims(kit))}.`,
    "an encrypted one (CVE-2026-9793)": () =>
      `${part({ alg: "RSA-OAEP-256", enc: "A128GCM" })}.a.b.c.d`,
    "one signed with the public key as a secret": (kit) =>
      signWithSecret(JSON.stringify(keys.app.publicJwk), claims(kit)),
    "a list": async () => `${(await keys.app.sign({})).split(".")[0]}.W10.x`,
  };
  describe("is not", () => {
    itRefuses(toRows(others, (make) => ["request.object", sending(make), code]), { settings });
  });

  it("is verified by the algorithm that the client registered", async () => {
    const kit = openWith({ requestObjectAlg: "PS256" });
    assertMatch((await open(kit)).html, /invalid_request_object/);
  });

  it("takes its keys from the jwksUri, and says so where they cannot be fetched", async () => {
    const client: ClientConfig = { id: "app", jwksUri: "https://app.example/jwks", redirectUris };
    const broken = openKit({ clients: [client], fetch: () => Promise.reject(new Error()) });
    assertMatch((await open(broken)).html, /could not be fetched/);
    assert(broken.events.some(({ type }) => type === "outbound.failed"));
  });

  it.withKit("counts alone: no parameter beside it does (ensure-different-state-inside-and-outside-request-object)", async (kit) => {
    const outside = {
      state: "o",
      scope: "write",
      nonce: "o",
      redirect_uri: "https://evil.example/",
    };
    const inside = { state: "inside", scope: "openid read", nonce: "inside" };
    const callback = await authorize(kit, inside, outside);
    const { body } = await kit.redeem(callback.get("code")!, { client_id: "app" });
    assertEquals(callback.get("state"), "inside");
    assertEquals(body.scope, "openid read");
    assertEquals(claimsOf(body.id_token).nonce, "inside");
  });

  it.withKit("has no state if that is only outside (state-only-outside-request-object-not-used)", async (kit) => {
    const callback = await authorize(kit, { state: undefined }, { state: "outside" });
    assertEquals(callback.has("state"), false);
  });

  it.withKit("needs its redirect_uri inside (ensure-request-object-without-redirect-uri-fails)", async (kit) => {
    const page = await open(kit, { redirect_uri: undefined }, { redirect_uri: redirectUri });
    assertEquals([page.status, page.headers.get("Location")], [400, null]);
  });

  it.withKit("redirects what else is wrong with it to the redirect_uri inside", async (kit) => {
    const { url } = await open(kit, { scope: "admin" }, { state: "outside" });
    const { searchParams } = new URL(url);
    assertEquals(searchParams.get("error"), "invalid_scope");
    assertEquals(searchParams.get("state"), "a-state");
  });

  it.withKit("M8: is refused with a parameter that is too long, signed or not", async (kit) => {
    assertEquals(errorOf(await open(kit, { nonce: "x".repeat(1025) })), "invalid_request");
    assertEquals((await open(kit, { state: "x".repeat(2049) })).status, 400);
  });

  it.withKit("A04 is refused with a list where one value belongs", async (kit) => {
    assertEquals(errorOf(await open(kit, { nonce: ["a", "b"] })), "invalid_request");
  });

  it.withKit("A04 is refused with a list of one, unless the parameter may be repeated", async (kit) => {
    const lists = [{ scope: ["openid"] }, { prompt: ["none"] }, { nonce: ["a"] }, { nonce: [] }];
    for (const listed of lists) {
      assertEquals(errorOf(await open(kit, listed)), "invalid_request");
    }
    const callback = await authorize(kit, { resource: [kit.issuer] });
    assertEquals([callback.has("code"), callback.get("error")], [true, null]);
  });

  it.withKit("A04 is refused on a page with a list that decides where a response goes", async (kit) => {
    const uris = [[redirectUri, "https://evil.example/"], [redirectUri], []];
    for (
      const listed of [{ state: ["a", "b"] }, ...uris.map((redirect_uri) => ({ redirect_uri }))]
    ) {
      const page = await open(kit, listed);
      assertEquals([page.status, page.headers.get("Location")], [400, null]);
    }
  });

  for (const name of ["request", "client_id", "redirect_uri"]) {
    it.withKit(`A04 is refused on a page with '${name}' twice`, async (kit) => {
      const url = `${await urlWith(kit, {}, { redirect_uri: "x" })}&${name}=x`;
      assertEquals((await kit.browser().open(url)).status, 400);
    });
  }

  it.withKit("is refused beside a request_uri", async (kit) => {
    const page = await open(kit, {}, { request_uri: "https://app.example/r" });
    assertEquals(page.status, 400);
  });

  it("O02 is request_uri_not_supported if it would have to be fetched (CVE-2020-10770)", async () => {
    const kit = openKit({ fetch: () => assert(false, "it was fetched") as never });
    const url = kit.authorizationUrl({ request_uri: "https://app.example/request.jwt" });
    assertEquals(errorOf(await kit.browser().open(url)), "request_uri_not_supported");
  });

  it("O02 is request_not_supported for a client without a key", async () => {
    const kit = openKit();
    const page = await kit.browser().open(kit.authorizationUrl({ request: "e30.e30." }));
    assertEquals(errorOf(page), "request_not_supported");
  });

  it("is not taken for a client assertion", async () => {
    const kit = openWith({ authentication: ["private_key_jwt"] });
    const typ = "oauth-authz-req+jwt";
    const client_assertion = await keys.app.sign(claims(kit, { sub: "app", jti: "1" }), { typ });
    const proof = { client_assertion_type: assertionType, client_assertion };
    const { body } = await kit.token({ grant_type: "refresh_token", ...proof });
    assertEquals(body.error, "invalid_client");
  });

  if (canPush) {
    it.withKit("can be pushed, and then counts alone", async (kit) => {
      const request = await keys.app.sign(claims(kit, { state: "inside" }));
      const pushed = { client_id: "app", request, state: "outside" };
      const { body: { request_uri } } = await kit.sendForm("/oauth2/par", pushed);
      const query = new URLSearchParams({ client_id: "app", request_uri });
      const url = `${kit.issuer}/oauth2/authorize?${query}`;
      assertEquals(new URL(await kit.browser().authorize(url)).searchParams.get("state"), "inside");
    });
  }
});

describe("A client that must sign its requests (RFC 9101, section 10.5)", () => {
  it.mustSign("is refused what is not signed, in the open and pushed", async (kit) => {
    const page = await kit.browser().open(kit.authorizationUrl({ client_id: "app" }));
    assertEquals(errorOf(page), "invalid_request");
    for (const { begin } of featureFixtures) {
      const begun = await begin?.(kit, { client_id: "app" });
      if (begun) assertEquals(begun.status, 400);
    }
  });

  it.mustSign("is given a code for what is", async (kit) => {
    assert((await authorize(kit)).has("code"));
  });

  for (const name of ["exp", "nbf"]) {
    it.mustSign(`must say '${name}' (FAPI 2.0 Message Signing, section 5.3.1)`, async (kit) => {
      assertMatch((await open(kit, { [name]: undefined })).html, /invalid_request_object/);
    });
  }

  const invalidTimes: Array<[title: string, nbf: number, exp: number]> = [
    ["an nbf over 60 minutes ago", -61 * 60, 60],
    ["an exp over 60 minutes ahead", 0, 61 * 60],
    ["an exp over 60 minutes after its nbf", -30 * 60, 31 * 60],
  ];
  for (const [title, nbf, exp] of invalidTimes) {
    it.mustSign(`cannot send ${title} (FAPI 2.0 Message Signing, section 5.3.1)`, async (kit) => {
      const times = { nbf: seconds(kit) + nbf, exp: seconds(kit) + exp };
      assertMatch((await open(kit, times)).html, /invalid_request_object/);
    });
  }

  it.mustSign("can send an exp 60 minutes after its nbf", async (kit) => {
    const times = { nbf: seconds(kit) - 30 * 60, exp: seconds(kit) + 30 * 60 };
    assert((await authorize(kit, times)).has("code"));
  });
});
