import { assert, assertEquals, assertMatch } from "@std/assert";
import { base64url } from "jose";
import { describe } from "node:test";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import type { ClientConfig } from "../../src/server/features.ts";
import type { OutboundFetch } from "../../src/server/http/outbound_fetch.ts";
import { cibaGrant } from "../support/ciba.ts";
import {
  assertion,
  assertionClaims,
  assertionType,
  type ClientKey,
  makeClientKey,
  seconds,
  signWithSecret,
} from "../support/client_key.ts";
import { itWith } from "../support/it_with.ts";
import { basic, type Fields, type Kit, openKit, read } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { itRefuses, type Play, toRows } from "../support/refusals.ts";
import { hasFeature } from "../support/where_feature.ts";

const it = itWith({ inKit: () => openWith([robot]) });

const keys = {
  robot: await makeClientKey("ES256", "one"),
  other: await makeClientKey("ES256", "one"),
  unheard: await makeClientKey("ES256", "unheard"),
};
const secret = "a-secret-that-is-long-enough-for-hmac";

const robot: ClientConfig = { id: "robot", jwks: { keys: [keys.robot.publicJwk] } };
const hmac: ClientConfig = { id: "hmac", secret, authentication: ["client_secret_jwt"] };

function openWith(clients: ClientConfig[], config: Partial<LabConfig> = {}): Kit {
  return openKit({ clients, ...config });
}

/** A token request of a client for itself. */
function ask(kit: Kit, fields: Fields, headers?: Record<string, string>) {
  return kit.token({ grant_type: "client_credentials", scope: "read", ...fields }, headers);
}

async function askWith(kit: Kit, jwt: string, fields: Fields = {}) {
  return await ask(kit, { client_assertion_type: assertionType, client_assertion: jwt, ...fields });
}

/** Authenticates the client `robot`, and returns the status. */
async function use(kit: Kit, key: ClientKey = keys.robot): Promise<number> {
  return (await ask(kit, await assertion(kit, "robot", key))).status;
}

type Claims = Record<string, unknown>;

/** Authenticates with an assertion that has other claims, another header or another key. */
function asserting(
  claims: Claims | ((kit: Kit) => Claims),
  header?: Claims,
  key = keys.robot,
): Play {
  return async (kit) => {
    const changes = typeof claims === "function" ? claims(kit) : claims;
    const jwt = await key.sign({ ...assertionClaims(kit, "robot"), ...changes }, header);
    await askWith(kit, jwt);
  };
}

/** Authenticates with an assertion, and something else. */
function assertingBeside(fields: Fields, headers?: Record<string, string>): Play {
  return async (kit) =>
    ask(kit, { ...await assertion(kit, "robot", keys.robot), ...fields }, headers);
}

describe("private_key_jwt (RFC 7523, section 2.2; OpenID Connect Core, section 9)", () => {
  for (const alg of ["ES256", "PS256", "RS256", "EdDSA", "Ed25519"]) {
    it(`B12 T11 lets a client in that signs with ${alg}`, async () => {
      const key = await makeClientKey(alg, "k");
      const kit = openWith([{ id: "robot", jwks: { keys: [key.publicJwk] } }]);
      assertEquals(await use(kit, key), 200);
    });
  }

  const accepted: Array<[what: string, claims: (kit: Kit) => Claims, header?: Claims]> = [
    [
      "nbf 8 seconds ahead (par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted)",
      (kit) => ({ nbf: seconds(kit) + 8 }),
    ],
    ["iat 8 seconds ahead", (kit) => ({ iat: seconds(kit) + 8 })],
    ["no iat", () => ({ iat: undefined })],
    ["an hour to live", (kit) => ({ exp: seconds(kit) + 3600 })],
    ["an end that is just past", (kit) => ({ exp: seconds(kit) - 5 })],
    ["typ: JWT", () => ({}), { typ: "JWT" }],
    ["typ: client-authentication+jwt", () => ({}), { typ: "client-authentication+jwt" }],
    ["that typ as a whole media type, in other letters", () => ({}), {
      typ: "application/Client-Authentication+JWT",
    }],
    ["an unknown claim", () => ({ whatever: 1 })],
  ];
  for (const [what, claims, header] of accepted) {
    it.inKit(`T11 takes an assertion with ${what}`, async (kit) => {
      const all = { ...assertionClaims(kit, "robot"), ...claims(kit) };
      const jwt = await keys.robot.sign(all, header);
      assertEquals((await askWith(kit, jwt)).status, 200);
    });
  }

  describe("T11 refuses an assertion with", () => {
    const notBoth = "its 'iss' and 'sub' are not both";
    const wrongAud = "its 'aud' is not the single";
    const refused: Record<string, [reason: string, claims: Claims | ((kit: Kit) => Claims)]> = {
      "another iss (OAuch: iss)": [notBoth, { iss: "somebody" }],
      "no iss": [notBoth, { iss: undefined }],
      "another sub (OAuch: sub)": ["the client_id 'somebody'", { sub: "somebody" }],
      "no aud (OAuch: aud)": [wrongAud, { aud: undefined }],
      "another aud (…-wrong-aud-fails)": [wrongAud, { aud: "https://other.example" }],
      "the issuer with a slash more as aud": [wrongAud, (kit) => ({ aud: `${kit.issuer}/` })],
      "the issuer in a list (par-test-array-as-audience-fails)": [
        wrongAud,
        (kit) => ({ aud: [kit.issuer] }),
      ],
      "the token endpoint as aud (par-test-token-endpoint-url-as-audience-fails)": [
        wrongAud,
        (kit) => ({ aud: `${kit.issuer}/oauth2/token` }),
      ],
      "the PAR endpoint as aud (par-test-par-endpoint-url-as-audience-fails)": [
        wrongAud,
        (kit) => ({ aud: `${kit.issuer}/oauth2/par` }),
      ],
      "no exp (OAuch: exp)": ["it has no 'exp'", { exp: undefined }],
      "an exp 5 minutes ago (…-exp-is-5-minutes-in-past-fails)": [
        "it expired 300 seconds ago",
        (kit) => ({ exp: seconds(kit) - 300 }),
      ],
      "an exp in two hours": [
        "its 'exp' is more than 3600 seconds in the future",
        (kit) => ({ exp: seconds(kit) + 7200 }),
      ],
      "an exp that is a text": ["its 'exp' is not a number", { exp: "4102444800" }],
      "an nbf over 60 seconds ahead (par-ensure-…-nbf-over-60-seconds-in-the-future-fails)": [
        "its 'nbf' is in the future",
        (kit) => ({ nbf: seconds(kit) + 61 }),
      ],
      "an iat over 60 seconds ahead (OAuch: iat)": [
        "its 'iat' is in the future",
        (kit) => ({ iat: seconds(kit) + 61 }),
      ],
      "no jti": ["it has no 'jti'", { jti: undefined }],
      "an empty jti": ["it has no 'jti'", { jti: "" }],
      "a jti that is a number": ["it has no 'jti'", { jti: 5 }],
      "a jti that is half a character": ["no key of its signer", { jti: "\ud800" }],
    };
    itRefuses({
      ...toRows(refused, ([reason, claims]) => ["client.authenticated", asserting(claims), reason]),
      "no sub (ensure-client-assertion-…-no-sub-fails)": [
        "client.assertion_subject",
        asserting({ sub: undefined }),
      ],
      "the typ of a request object": [
        "client.authenticated",
        asserting({}, { typ: "oauth-authz-req+jwt" }),
      ],
      "the typ of a DPoP proof": ["client.authenticated", asserting({}, { typ: "dpop+jwt" })],
      "a kid that is not the client's": ["client.authenticated", asserting({}, { kid: "two" })],
      "the signature of another key (OAuch: signature)": [
        "client.authenticated",
        asserting({}, {}, keys.other),
      ],
      "alg: none (OAuch: none)": ["client.authenticated", async (kit) => {
        const part = (value: object) => base64url.encode(JSON.stringify(value));
        return askWith(kit, `${part({ alg: "none" })}.${part(assertionClaims(kit, "robot"))}.`);
      }],
      "a public key for an HMAC secret": ["client.authenticated", async (kit) => {
        const publicKey = JSON.stringify(keys.robot.publicJwk);
        return askWith(kit, await signWithSecret(publicKey, assertionClaims(kit, "robot")));
      }],
      "nothing like a JWT": ["client.assertion_subject", (kit) => askWith(kit, "x")],
      "three dots": ["client.assertion_subject", (kit) => askWith(kit, "...")],
      "a JWE": ["client.assertion_subject", (kit) => askWith(kit, "a.b.c.d.e")],
      "JSON": ["client.assertion_subject", (kit) => askWith(kit, "{}")],
    }, { settings: { clients: [robot] } });
  });

  it("T11 refuses an algorithm that the registration does not name (ensure-signed-client-assertion-with-RS256-fails)", async () => {
    const key = await makeClientKey("RS256");
    const jwks = { keys: [key.publicJwk] };
    const kit = openWith([{ ...robot, jwks, authenticationAlg: "PS256" }]);
    assertEquals((await ask(kit, await assertion(kit, "robot", key))).body.error, "invalid_client");
  });

  it.inKit("T11 takes each jti once (OAuch: replay; GHSA-3p3g-vpw6-4w66 / CVE-2020-5300)", async (kit) => {
    const fields = await assertion(kit, "robot", keys.robot);
    assertEquals([(await ask(kit, fields)).status, (await ask(kit, fields)).status], [200, 401]);
    kit.clock.advance(65);
    assertEquals((await ask(kit, fields)).status, 401);
  });

  it.inKit("T11 takes a jti once even when ten come at once (CVE-2020-15222)", async (kit) => {
    const fields = await assertion(kit, "robot", keys.robot);
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(kit, fields)));
    assertEquals(answers.filter(({ status }) => status === 200).length, 1);
  });

  it("T11 keeps the jtis of two clients apart", async () => {
    const second = { id: "second", jwks: { keys: [keys.other.publicJwk] } };
    const kit = openWith([robot, second]);
    const claims = { ...assertionClaims(kit, "robot"), jti: "the same" };
    assertEquals((await askWith(kit, await keys.robot.sign(claims))).status, 200);
    const ofSecond = await keys.other.sign({ ...claims, iss: "second", sub: "second" });
    assertEquals((await askWith(kit, ofSecond)).status, 200);
  });

  it.inKit("does not spend the jti of an assertion that is refused", async (kit) => {
    const claims = assertionClaims(kit, "robot");
    assertEquals((await askWith(kit, await keys.other.sign(claims))).status, 401);
    assertEquals((await askWith(kit, await keys.robot.sign(claims))).status, 200);
  });

  it.inKit("responds with 503, and admits no client, when the store cannot remember a jti", async (kit) => {
    kit.server.context.settings.store.add = () => Promise.reject(new Error("no disk"));
    assertEquals(await use(kit), 503);
  });

  const hinted: Array<[hints: boolean, description: RegExp]> = [
    [true, /its 'aud' is not the single string 'https:\/\/hallpass.test'/],
    [false, /^((?!aud).)*$/],
  ];
  for (const [hints, description] of hinted) {
    it(`explains the problem in a lab, and only there: ${hints}`, async () => {
      const kit = openWith([robot], { hints });
      const jwt = await keys.robot.sign({ ...assertionClaims(kit, "robot"), aud: "x" });
      assertMatch((await askWith(kit, jwt)).body.error_description, description);
    });
  }

  if (hasFeature("revocation", "introspection")) {
    it.inKit("lets a client in at revocation and introspection as well", async (kit) => {
      const { access_token } = (await ask(kit, await assertion(kit, "robot", keys.robot))).body;
      const send = async (path: string) => {
        const proof = await assertion(kit, "robot", keys.robot);
        return await kit.sendForm(path, { token: access_token, ...proof });
      };
      assertEquals((await send("/oauth2/introspect")).body.active, true);
      assertEquals((await send("/oauth2/revoke")).status, 200);
      assertEquals((await send("/oauth2/introspect")).body.active, false);
    });
  }
});

/** Authenticates a client with its secret, by which it signs, or another one. */
async function askByHmac(kit: Kit, id = "hmac", key = secret, alg?: string) {
  return await askWith(kit, await signWithSecret(key, assertionClaims(kit, id), alg));
}

describe("client_secret_jwt (OpenID Connect Core, section 9)", () => {
  for (const alg of ["HS256", "HS384", "HS512"]) {
    it(`lets a client in that signs with ${alg}`, async () => {
      assertEquals((await askByHmac(openWith([hmac]), "hmac", secret, alg)).status, 200);
    });
  }

  it("M4: is accepted after any number of forged assertions: 256 bits cannot be guessed", async () => {
    const kit = openWith([hmac], { guessesPerMinute: 3 });
    kit.address = "192.0.2.1";
    for (let guess = 0; guess < 3; guess++) {
      const { status } = await askByHmac(kit, "hmac", "another-secret-of-the-same-length-..");
      assertEquals(status, 401);
    }
    assertEquals((await askByHmac(kit)).status, 200);
  });

  it("T10 refuses the secret itself", async () => {
    const kit = openWith([hmac]);
    assertEquals((await ask(kit, {}, basic("hmac", secret))).body.error, "invalid_client");
  });

  it("T10 refuses an assertion from a client that is registered for its secret", async () => {
    const kit = openWith([{ id: "web", secret }]);
    assertEquals((await askByHmac(kit, "web")).body.error, "invalid_client");
  });

  if (hasFeature("encryption at rest")) {
    it("works where the store is sealed", async () => {
      const kit = openWith([hmac], { secret: "a secret for the store, 32 characters" });
      assertEquals((await askByHmac(kit)).status, 200);
    });
  }
});

describe("An assertion beside other credentials (OAuth 2.1, section 2.4)", () => {
  const beside: Record<string, [rule: string, fields: Fields]> = {
    "T07 a client_secret": ["client.one_method", { client_secret: "x" }],
    "T07 a client_secret, and the type alone": ["client.one_method", {
      client_secret: "x",
      client_assertion: undefined,
    }],
    "T07 the client_id of another client (ensure-client-id-in-token-endpoint)": ["client.same_id", {
      client_id: "hmac",
    }],
    "another type": ["client.assertion_type", {
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:saml2-bearer",
    }],
    "no type": ["client.assertion_type", { client_assertion_type: undefined }],
    "a type alone (ensure-client-assertion-in-token-endpoint)": ["client.assertion_subject", {
      client_assertion: undefined,
    }],
    "T10 nothing but a client_id": ["client.authenticated", {
      client_assertion: undefined,
      client_assertion_type: undefined,
      client_id: "robot",
    }],
  };
  itRefuses({
    ...toRows(beside, ([rule, fields]) => [rule, assertingBeside(fields)]),
    "T07 Basic": ["client.one_method", assertingBeside({}, basic("robot", "x"))],
  }, { settings: { clients: [robot, hmac] } });

  it.inKit("T07 takes the same client_id beside it", async (kit) => {
    const proof = await assertion(kit, "robot", keys.robot);
    assertEquals((await ask(kit, { ...proof, client_id: "robot" })).status, 200);
  });
});

/** Where a client of the operator keeps its keys. */
const jwksUri = "https://robot.example/jwks";

/** Opens a server whose client has its keys at a place that counts how often it is asked. */
function openRemote(served: { keys?: ClientKey[]; headers?: HeadersInit; status?: number } = {}) {
  const asked: string[] = [];
  const fetch: OutboundFetch = async (url) => {
    asked.push(url);
    const { keys: own = [keys.robot], headers = {}, status = 200 } = served;
    return Response.json({ keys: own.map(({ publicJwk }) => publicJwk) }, { status, headers });
  };
  return { served, asked, fetch, kit: openWith([remote], { fetch }) };
}

const remote: ClientConfig = { id: "robot", jwksUri };

describe("The keys of a client, fetched from its jwksUri", () => {
  it("are fetched once for simultaneous requests, and kept", async () => {
    const { kit, asked } = openRemote();
    assertEquals(await Promise.all([1, 2, 3].map(() => use(kit))), [200, 200, 200]);
    kit.clock.advance(299);
    assertEquals([await use(kit), asked], [200, [jwksUri]]);
    kit.clock.advance(2);
    assertEquals([await use(kit), asked.length], [200, 2]);
  });

  const lifetimes: Array<[control: string, seconds: number]> = [
    ["max-age=3600", 3600],
    ["max-age=1", 60],
    ["no-store", 60],
    ["max-age=31536000", 86_400],
    ["public", 300],
  ];
  for (const [control, expected] of lifetimes) {
    it(`are kept for ${expected} seconds with ${control}`, async () => {
      const { kit, asked } = openRemote({ headers: { "Cache-Control": control } });
      for (const [seconds, fetches] of [[0, 1], [expected - 1, 1], [1, 2]]) {
        kit.clock.advance(present(seconds));
        assertEquals([await use(kit), asked.length], [200, fetches]);
      }
    });
  }

  it("are fetched anew for a kid that is not known yet, once a minute (oidcc-refresh-token-rp-key-rotation)", async () => {
    const next = await makeClientKey("ES256", "next");
    const { kit, asked, served } = openRemote();
    assertEquals(await use(kit), 200);
    served.keys = [keys.robot, next];
    assertEquals([await use(kit, next), asked.length], [401, 1]);
    kit.clock.advance(60);
    assertEquals([await use(kit, next), asked.length], [200, 2]);
    assertEquals([await use(kit, keys.unheard), asked.length], [401, 2]);
  });

  it("are fetched anew once for all who wait for a kid that is not known yet", async () => {
    const { kit, asked } = openRemote();
    await use(kit);
    kit.clock.advance(60);
    const { settings, keys: { external } } = kit.server.context;
    const client = present(await settings.clients.get("robot"));
    const look = () => external.find(client, { alg: "ES256", kid: "unheard" });
    assertEquals(await Promise.all([look(), look(), look()]), [[], [], []]);
    assertEquals(asked.length, 2);
  });

  it("stay good for their time when a look for an unknown kid fails", async () => {
    const { kit, asked, served } = openRemote();
    assertEquals(await use(kit), 200);
    served.status = 500;
    kit.clock.advance(60);
    assertEquals([await use(kit, keys.unheard), await use(kit)], [401, 200]);
    assertEquals(asked.length, 2);
    kit.clock.advance(240);
    assertEquals([await use(kit), asked.length], [401, 3]);
  });

  const failures: Record<string, OutboundFetch> = {
    "that answers 500": async () => new Response("no", { status: 500 }),
    "that redirects": async () =>
      new Response(null, { status: 302, headers: { Location: "http://169.254.169.254/" } }),
    "that is no JSON": async () => new Response("<html>"),
    "that is too large": async () => new Response(" ".repeat(70_000)),
    "that cannot be reached": () => Promise.reject(new TypeError("no route")),
  };
  for (const [what, fetch] of Object.entries(failures)) {
    it(`refuse the client where they lie at an address ${what}, and the operator learns why`, async () => {
      const kit = openWith([remote], { fetch });
      const { status, body } = await ask(kit, await assertion(kit, "robot", keys.robot));
      assertEquals([status, body.error], [401, "invalid_client"]);
      assert(kit.events.some(({ type }) => type === "outbound.failed"));
    });
  }

  const documents = {
    "null": "null",
    "a list": "[]",
    "keys that are none": '{"keys":[null,1,"x",{"kty":"EC"}]}',
  };
  for (const [what, document] of Object.entries(documents)) {
    it(`refuse the client where the document is ${what}`, async () => {
      const kit = openWith([remote], { fetch: async () => new Response(document) });
      assertEquals(await use(kit), 401);
    });
  }

  it("are not asked for again and again while the address fails", async () => {
    const { kit, asked } = openRemote({ keys: [], status: 500 });
    for (let time = 0; time < 5; time++) await use(kit);
    assertEquals(asked.length, 1);
    kit.clock.advance(60);
    await use(kit);
    assertEquals(asked.length, 2);
  });

  it("of an untrusted client are fetched by the guarded fetch only (CVE-2026-1180)", async () => {
    const [outside, guarded] = [openRemote(), openRemote()];
    const kit = openWith([remote], { fetch: outside.fetch, fetchUntrusted: guarded.fetch });
    const { settings, records } = kit.server.context;
    const known = present(await settings.clients.get("robot"));
    const untrusted = { ...known, id: "stranger", trusted: false };
    await records.clients.put("stranger", untrusted, kit.clock.now + 1_000_000);
    assertEquals((await ask(kit, await assertion(kit, "stranger", keys.robot))).status, 200);
    assertEquals([outside.asked, guarded.asked], [[], [jwksUri]]);
  });

  it("are tried one after another where the assertion names no kid", async () => {
    const [one, two] = [await makeClientKey(), await makeClientKey()];
    const kit = openWith([{ id: "robot", jwks: { keys: [one.publicJwk, two.publicJwk] } }]);
    assertEquals(await use(kit, one), 200);
    assertEquals(await use(kit, two), 200);
    assertEquals(await use(kit, await makeClientKey()), 401);
  });

  it("without a kid are tried if no key has the kid of the assertion", async () => {
    const { kid: _, ...unnamed } = keys.robot.publicJwk;
    const kit = openWith([{ id: "robot", jwks: { keys: [unnamed] } }]);
    const statusOf = async (key: ClientKey) => {
      const jwt = await key.sign(assertionClaims(kit, "robot"), { kid: "thumbprint" });
      return (await askWith(kit, jwt)).status;
    };
    assertEquals([await statusOf(keys.robot), await statusOf(keys.other)], [200, 401]);
  });

  it("are tried only so far, however many there are", async () => {
    const [one, two] = [await makeClientKey(), await makeClientKey()];
    const withKeys = (others: number) => {
      const keys = [...Array(others).fill(one.publicJwk), two.publicJwk];
      return use(openWith([{ id: "robot", jwks: { keys } }]), two);
    };
    assertEquals([await withKeys(19), await withKeys(20)], [200, 401]);
  });

  it("are not used for encryption's sake", async () => {
    const own = [{ ...keys.robot.publicJwk, use: "enc" }, keys.other.publicJwk];
    assertEquals(await use(openWith([{ id: "robot", jwks: { keys: own } }])), 401);
  });
});

const issuer = "https://hallpass.test";
const alias = "https://mtls.hallpass.test";
const key = await makeClientKey("ES256");

/** The endpoints at which clients authenticate, and the feature of each. */
const endpoints: ReadonlyArray<[path: string, feature?: string]> = [
  ["/oauth2/token"],
  ["/oauth2/par", "pushed authorization requests"],
  ["/oauth2/introspect", "introspection"],
  ["/oauth2/revoke", "revocation"],
  ["/oauth2/backchannel_authentication", "backchannel authentication"],
];

const backchannel = "/oauth2/backchannel_authentication";
const mtls = hasFeature("mutual TLS") ? { mtls: { url: alias } } : {};

/**
 * Audiences of an assertion that is sent to an endpoint
 * (oidcc-ensure-client-assertion-with-iss-aud-succeeds, par-test-array-as-audience-fails,
 * par-test-token-endpoint-url-as-audience-fails, par-test-par-endpoint-url-as-audience-fails).
 */
const audiences: Readonly<Record<string, (path: string) => unknown>> = {
  "the issuer": () => issuer,
  "the issuer in a list": () => [issuer],
  "the token endpoint": () => `${issuer}/oauth2/token`,
  "the alias of the token endpoint": () => `${alias}/oauth2/token`,
  "the endpoint of the request": (path) => issuer + path,
  "the alias of the endpoint of the request": (path) => alias + path,
  "the issuer and the endpoint of the request": (path) => [issuer, issuer + path],
  "another endpoint": () => `${issuer}/oauth2/jwks`,
  "the address of the aliases": () => alias,
  "the token endpoint of another server": () => "https://other.example/oauth2/token",
  "the issuer and another server": () => [issuer, "https://other.example"],
  "an empty list": () => [],
  "no value": () => undefined,
};

/** What identifies a server that a client calls at one of its endpoints. */
const ownAudiences = Object.keys(audiences).slice(0, 7)
  .filter((what) => hasFeature("mutual TLS") || !what.includes("alias"));

/** Which audiences each kind of server or client permits at an endpoint. */
const kinds: Readonly<
  Record<string, {
    client?: Partial<ClientConfig>;
    server?: Partial<LabConfig>;
    accepted: (path: string) => readonly string[];
  }>
> = {
  "by default": { accepted: (path) => path === backchannel ? ownAudiences : ["the issuer"] },
  "with 'assertionAudience'": {
    client: { assertionAudience: "token-endpoint" },
    accepted: () => ownAudiences,
  },
  ...hasFeature("pushed authorization requests") && {
    "under fapi-2.0": { server: { profile: "fapi-2.0" }, accepted: () => ["the issuer"] },
  },
};

describe("The audience of client assertions (RFC 10070, section 4; CIBA, section 7.1; CVE-2025-27370)", () => {
  for (const [path, feature] of endpoints) {
    if (feature !== undefined && !hasFeature(feature)) continue;
    for (const [kind, { client, server, accepted }] of Object.entries(kinds)) {
      it(`T11 C08 is checked at ${path} ${kind}`, async () => {
        const robot: ClientConfig = {
          id: "robot",
          jwks: { keys: [key.publicJwk] },
          ...path === backchannel && { grantTypes: [cibaGrant] },
          ...client,
        };
        const kit = openKit({ clients: [robot], ...mtls, ...server });
        const taken: string[] = [];
        for (const [what, audienceAt] of Object.entries(audiences)) {
          if (await isAuthenticated(kit, path, audienceAt(path))) taken.push(what);
        }
        assertEquals(taken, accepted(path));
      });
    }
  }
});

/** Whether a server accepts an assertion. What else is wrong with the request, it says later. */
async function isAuthenticated(kit: Kit, path: string, aud: unknown): Promise<boolean> {
  const client_assertion = await key.sign({ ...assertionClaims(kit, "robot"), aud });
  const fields = { client_assertion_type: assertionType, client_assertion };
  const { status, body } = await read(await kit.post(path, fields));
  assertEquals(status === 401, body.error === "invalid_client");
  return status !== 401;
}
