import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { readPresetFile } from "../../../../src/lab/features/providers/read_preset_file.ts";
import { refusedSettings } from "../../../../src/lab/lab_server/json_settings.ts";
import { hallpass, LabError, type PresetFile } from "../../../../src/lab/testing/mod.ts";
import { presetWith } from "../../../support/preset_with.ts";
import { assertLeniency } from "../../../support/reported.ts";

const wellKnown = "/.well-known/openid-configuration";
const withDocument = (body: unknown) =>
  presetWith({ dialect: { documents: [{ path: wellKnown, body }] } });

/** Nests a list in lists. */
function nested(depth: number): unknown {
  return depth === 0 ? [] : [nested(depth - 1)];
}

/** Text, because a literal with this member would have another prototype, and no such member. */
const withPrototype = JSON.parse(
  `{${JSON.stringify(presetWith({})).slice(1, -1)},"__proto__":{"preset":1}}`,
);

const refusals: Array<[what: string, preset: unknown, problem: RegExp]> = [
  ["a list", [], /must be an object/],
  ["nothing at all", null, /must be an object/],
  ["another version", { ...presetWith({}), preset: 2 }, /preset must be/],
  ["an unknown member", { ...presetWith({}), extends: "google" }, /extends/],
  ["no facts", { ...presetWith({}), facts: undefined }, /facts/],
  ["the name of another preset", { ...presetWith({}), name: "google" }, /name is 'google'/],
  ["a name with a path", { ...presetWith({}), name: "../acme" }, /name must have/],
  ["an empty title", { ...presetWith({}), title: " " }, /title must not be empty/],
  ["a source that is missing", { ...presetWith({}), sources: {} }, /from names 'metadata'/],
  ["a prototype", withPrototype, /'__proto__'/],
  ["a constructor", presetWith({ dialect: { constructor: {} } }), /'constructor'/],
  ["a long text", presetWith({ defaultResource: "a".repeat(5_000) }), /more than 4000 characters/],
  ["a long list", presetWith({ defaultScope: Array(501).fill("a") }), /more than 500 entries/],
  ["deep nesting", withDocument({ deep: nested(20) }), /more than 16 deep/],
  [
    "many texts",
    withDocument(
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [at, "a".repeat(3_900)])),
    ),
    /larger than 128 kB/,
  ],
  ["half a character", presetWith({ defaultResource: "\ud800" }), /malformed Unicode/],
  ["an unknown setting", presetWith({ path: {} }), /plays\.path/],
  ["an unknown part of the dialect", presetWith({ dialect: { proxy: "a" } }), /dialect\.proxy/],
  [
    "a path that is none",
    presetWith({ paths: { token: "https://evil.example/" } }),
    /paths\.token/,
  ],
  [
    "hosts that lead to the lab",
    presetWith({ dialect: { hosts: [{ name: "id.bank.example" }] } }),
    /dialect\.hosts is not for a file/,
  ],
  ...["Content-Type", "Set-Cookie", "X-A\r\nLocation"].map((
    name,
  ): [what: string, preset: unknown, problem: RegExp] => [
    `the header ${JSON.stringify(name)} of an API`,
    presetWith({ dialect: { userApis: [{ path: "/me", body: {}, headers: { [name]: "a" } }] } }),
    /headers.*is not for a file, unless it begins with X-/s,
  ]),
  ["users", presetWith({ users: [{ name: "eve" }] }), /plays\.users/],
  ["clients", presetWith({ clients: [] }), /plays\.clients/],
  ["a sign-in", presetWith({ signIn: "alice" }), /plays\.signIn/],
  ["any client", presetWith({ anyClient: true }), /plays\.anyClient/],
  ["issuers to trust", presetWith({ trustedIssuers: [] }), /plays\.trustedIssuers/],
  ["an insecure setting", presetWith({ insecure: { privateFetches: true } }), /plays\.insecure/],
  ["another preset", presetWith({ provider: "google" }), /plays\.provider/],
  ["code", presetWith({ policies: { claims: () => ({}) } }), /function/],
];

const foreignAddresses = [
  "https://evil.example/keys",
  "HTTPS://evil.example/keys",
  "//evil.example/keys",
  "{base}.evil.example/keys",
  "{base}@evil.example/keys",
  "{base}{issuer}//evil.example",
  "{front}.evil.example/keys",
  "x{back}",
  "https:{tenant}//evil.example",
  "https:/{tenant}/evil.example",
  '{segment.a|"https:\\u002f\\u002fevil.example"}',
  "{hex:issuer}",
  "https:\\\\evil.example",
  "https:evil.example/keys",
  " https:/evil.example/keys",
  "https:/\t/evil.example/keys",
  "/\n/evil.example/keys",
  "javascript:alert(1)",
  // A JWT may hold { "token_endpoint": "https://evil.example" }, as signed metadata does.
  "eyJhbGciOiJub25lIn0.eyJ0b2tlbl9lbmRwb2ludCI6Imh0dHBzOi8vZXZpbC5leGFtcGxlIn0.",
];

const key = { kty: "EC", crv: "P-256", x: "a", y: "b", kid: "theirs" };
const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
const withKeys: Array<[where: string, dialect: object]> = [
  ["in a document", { documents: [{ path: "/keys", body: { keys: [key] } }] }],
  ["below other members", {
    documents: [{ path: "/a", body: { b: [{ jwks: { keys: [key] } }] } }],
  }],
  ["with a secret", { documents: [{ path: "/keys", body: { kty: "oct", k: "a" } }] }],
  ["in certificates", { documents: [{ path: "/certs", body: { theirs: pem } }] }],
  ["in the header of a token", { idToken: { header: { set: { jwk: key } } } }],
  ["in a refusal", {
    userApis: [{ path: "/keys", body: {}, unauthorized: { status: 200, body: { keys: [key] } } }],
  }],
  ["in an error", { errors: [{ at: "jwks", set: { keys: [key] }, status: 200 }] }],
];

const document = { path: wellKnown, body: { jwks_uri: "{base}/keys" } };
const inDocument = (member: string, body: unknown, others: object = {}) => ({
  ...others,
  documents: [{ path: wellKnown, body: { [member]: body } }],
});
const asClaim = (endpoint: unknown) => ({ idToken: { set: { endpoint } } });
const jwt = (header: string) => `${btoa(header).replaceAll("=", "")}.eyJhIjoiYiJ9.`;

/** What a client receives of these is an address of another host, though no text has one. */
const evil = "https://evil.example/";
const foreignPieces: Array<[where: string, dialect: object]> = [
  ...[evil, "https:{tenant}//a", "{base}.evil.example"].flatMap((endpoint) => {
    const set = { _claim_sources: { src1: { endpoint } } };
    const dialects = [{ idToken: { set } }, { claims: [{ in: ["id_token"], set }] }];
    return dialects.map((each): [string, object] => [`a claim is at ${endpoint}`, each]);
  }),
  ["a token response has one", { tokenResponse: { set: { verification_uri: evil } } }],
  ["the header of a token has one", { idToken: { header: { set: { jku: evil } } } }],
  ["an API has one", { userApis: [{ path: "/me", body: { "@odata.nextLink": evil } }] }],
  ["an error has one", { errors: [{ at: "token", set: { error_uri: evil } }] }],
  ["the issuer has a path that extends the host", { issuerPath: ".evil.example/:t", tenant: "x" }],
  ["the issuer has a path that ends the host", { issuerPath: "@evil.example/:t", tenant: "x" }],
  ["the issuer has a port", { issuerPath: ":4711" }],
  ["a path of the issuer is that of another host", { issuerPath: "//evil.example/" }],
  ["a path leads out of the issuer's", { issuerPath: "/\\evil.example" }],
  ["an alias extends the host", { aliases: [{ path: ".evil.example/token", to: "token" }] }],
  ["an API has the scope", { userApis: [{ path: "/me", body: { next: "{scope}" } }] }],
  ["an audience becomes an address", {
    accessToken: { set: { aud: "https://evil.example/" } },
    tokenResponse: { set: { verification_uri: "{token.aud}" } },
  }],
  ["a list of scopes does", asClaim("{text:token.my_scopes}")],
  ["an API has it by default", { userApis: [{ path: "/me", body: { next: "{user.z|scope}" } }] }],
  ["an API extends the host", { userApis: [{ path: "@evil.example/me", body: {} }] }],
  ["certificates extend the host", { certificates: ".evil.example/certs" }],
  ["a document extends the host", { documents: [{ ...document, path: ".evil.example" }] }],
  ["accounts extend the host", { accountTypes: { paths: [".evil"], account: "a", rules: [] } }],
  [
    "the tenant is an address",
    inDocument("jwks_uri", "{tenant}", { tenant: "https:evil.example" }),
  ],
  ["the tenant is a host", inDocument("jwks_uri", "{tenant}", { tenant: "//evil.example" })],
  ["the tenant begins one", inDocument("jwks_uri", "{tenant}s:evil.example", { tenant: "http" })],
  [
    "the tenant begins a JWT",
    inDocument("a", "{tenant}J9.eyJhIjoiYiJ9.", { tenant: "eyJhIjoiYi" }),
  ],
  ["a segment begins an address", inDocument("jwks_uri", "{segment}/evil.example")],
  ["a value may be empty", inDocument("jwks_uri", "/{segment}/evil.example")],
  ["defaults join", asClaim('{issuer.z|"ht"}{issuer.z|"tps:"}{issuer.z|"/"}/evil.example')],
  ["a default completes a scheme", asClaim('h{issuer.z|"ttps:evil.example"}')],
  ["a default is a list", asClaim('h{issuer.z|["ttps:"]}evil.example')],
  ["a default is the address", asClaim("{user.z|base}.evil.example")],
  ["a derivation leaves the address", asClaim("{text:base}.evil.example")],
  ["claims join", { idToken: { set: { a: "htt", b: "ps:", endpoint: "{token.a}{token.b}a.b" } } }],
  ["a list has an address", asClaim(["https://evil.example/"])],
  ["refresh tokens name a host", { refreshToken: { iss: "https://evil.example/" } }],
  ["a page names a host", {
    accountTypes: { paths: ["/:t/a"], account: "a", rules: [{ text: "https://evil.example" }] },
  }],
  ["subjects are addresses", { subjects: { form: "hex", prefix: "https://evil.example/" } }],
  ["the header of a JWT has spaces", asClaim(jwt('{ "alg":"none"}'))],
  ["a JWT begins with a space", asClaim(jwt(' {"alg":"none"}'))],
  ["the rest of a JWT is a value", asClaim("eyJhbGciOiJub25lIn0.{token.a}.")],
];

describe("A preset in a file", () => {
  for (const [what, dialect] of foreignPieces) {
    it(`Q2: leads no client to another host: ${what}`, () => {
      const error = assertThrows(() => readPresetFile(presetWith({ dialect })), LabError) as Error;
      assertMatch(error.message, /dialect\.\S+ (?:names another host|must be)/);
    });
  }

  it("Q2: may have a path, a tenant, scopes that are URLs, and values among text", () => {
    const dialect = {
      issuerPath: "/:region_:id/v2.0/",
      tenant: "eu-1_Ab3",
      certificates: "/certs/v1",
      aliases: [{ path: "/:tenant/oauth2/token", to: "token" }],
      documents: [{ path: "/{tenant}/.well-known/openid-configuration", body: {} }],
      impliedScopes: ["https://api.example/read"],
      claims: [{ in: ["userinfo"], scope: "https://api.example/read", set: { sub: "{user.sub}" } }],
      idToken: {
        set: {
          at: "AT.{token.jti}",
          scp: "{token.scope}",
          email: "{hex:user.sub}@relay.example",
          greeting: 'Hello {user.name|"you"}',
          locale: '{user.locale|"en-US"}',
          page: "{base}/{token.tid|tenant}/me",
        },
      },
    };
    readPresetFile(presetWith({ dialect }));
  });

  for (const [what, preset, problem] of refusals) {
    it(`is refused with ${what}`, () => {
      const error = assertThrows(() => readPresetFile(preset), LabError) as Error;
      assertMatch(error.message, /^Cannot read the preset: /);
      assertMatch(error.message, problem);
    });
  }

  for (const address of foreignAddresses) {
    it(`names no address of another host: ${address}`, () => {
      const nestedAddress = { mtls_endpoint_aliases: [{ token_endpoint: address }] };
      const list = { authorization_servers: [address] };
      for (const body of [{ jwks_uri: address }, nestedAddress, list]) {
        assertThrows(() => readPresetFile(withDocument(body)), LabError, "names another host");
      }
    });
  }

  it("may have claims with defaults, URLs as audiences, and names that are URLs", () => {
    const set = { email: "{user.email|null}", "https://acme.example/roles": ["a"], aud: "api://a" };
    readPresetFile(presetWith({ dialect: { idToken: { set }, userinfoAudience: "{base}/me" } }));
  });

  for (const [where, dialect] of withKeys) {
    it(`publishes no key ${where}`, () => {
      const attempt = () => readPresetFile(presetWith({ dialect }));
      assertThrows(attempt, LabError, "has a key: the author");
    });
  }

  it("names each problem once", () => {
    const preset = presetWith({ dialect: { hosts: [{ name: "evil.example" }] } });
    const { message } = assertThrows(() => readPresetFile(preset), LabError) as Error;
    assertEquals(message.match(/dialect\.hosts/g)?.length, 1);
  });

  it("may name addresses of the lab, and identifiers that are URLs", () => {
    const body = {
      issuer: "{issuer}",
      tenant: "{base}/{tenantid}/v2.0",
      jwks_uri: "{base}/keys",
      scopes_supported: ["https://api.example/read"],
    };
    assertEquals(readPresetFile(withDocument(body)).name, "acme");
    const api = { path: "/me", body: { avatar_url: '{user.picture|""}', url: "{base}/users" } };
    assertEquals(readPresetFile(presetWith({ dialect: { userApis: [api] } })).name, "acme");
  });

  it("sets nothing that decides who reaches a lab, or what it reaches", () => {
    for (const name of Object.keys(refusedSettings)) {
      assertThrows(() => readPresetFile(presetWith({ [name]: "a" })), LabError, `plays.${name}`);
    }
  });

  it("is a copy, which later changes do not reach", () => {
    const preset = presetWith({ audienceParameter: true });
    const read = readPresetFile(preset);
    preset.facts.all = { from: [], says: "", plays: { anyClient: true } };
    assertEquals(read.facts.all?.plays, { audienceParameter: true });
  });
});

describe("A lab with a preset from a file", () => {
  const preset = presetWith({
    paths: { token: "/connect/token" },
    clientDefaults: { pkce: "optional" },
    errorUri: false,
  });

  it("plays it", async () => {
    await using lab = await hallpass({ provider: preset });
    const metadata = await (await lab.fetch(lab.issuer + wellKnown)).json();
    assertEquals(metadata.token_endpoint, `${lab.issuer}/connect/token`);
    assertMatch(await (await lab.fetch(`${lab.issuer}/`)).text(), /Acme/);
    await lab.reset();
    assertLeniency(lab, "clientDefaults.pkce: optional");
  });

  it("plays it beside others, and for the users with an account there", async () => {
    const accounts = { alice: ["google", "acme"], bob: ["google"] };
    await using lab = await hallpass({
      providers: ["google", preset],
      users: [{ name: "alice" }, { name: "bob" }],
      accounts,
    });
    const acme = lab.provider("acme");
    assertEquals(acme.issuer, `${lab.issuer}/t/acme`);
    assertEquals(acme.users.list().map(({ name }) => name), ["alice"]);
    assertMatch(await (await lab.fetch(`${lab.issuer}/`)).text(), /t\/acme\/">Acme/);
  });

  it("opens a tenant with it", async () => {
    await using lab = await hallpass();
    const open = (provider: unknown) => lab.tenant({ provider: provider as PresetFile });
    assertMatch(String(await assertRejects(() => open(presetWith({ users: [] })))), /plays\.users/);
    assertMatch(String(await assertRejects(() => open("acme.json"))), /Only the program/);
    assertEquals((await open(preset)).issuer, `${lab.issuer}/t/1`);
  });

  const refused: Array<[options: Record<string, unknown>, problem: RegExp]> = [
    [{ provider: "./acme.json" }, /Only the program reads the file/],
    [{ provider: preset, errorUri: true }, /'errorUri' is true, but acme has false/],
    [{ provider: presetWith({ host: "a" }) }, /plays\.host/],
    [{ providers: [preset, preset] }, /'acme' more than once/],
    [{ providers: ["acme.json"] }, /providers\[0\] must be a preset, or one of/],
    [{ providers: ["google"], accounts: { alice: ["acme"] } }, /accounts\.alice contains 'acme'/],
  ];
  for (const [options, problem] of refused) {
    it(`refuses what it cannot play: ${problem}`, async () => {
      assertMatch((await assertRejects(() => hallpass(options)) as Error).message, problem);
    });
  }
});
