import { assertEquals } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { readDirectory } from "../../../src/program/operate/directory.ts";
import { type ClientConfig, type Config, createFullServer } from "../../../src/server/features.ts";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { assertion, makeClientKey } from "../../support/client_key.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { openKit, openStrictKit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { register } from "../../support/registration.ts";
import { hasFeature } from "../../support/where_feature.ts";
import { openFapiSuite } from "./fapi_suite.ts";

const issuer = "https://id.example";
const redirectUris = ["https://app.example/cb"];
const { publicJwk } = await makeClientKey();
const jwks = { keys: [publicJwk] };
const fitting: ClientConfig = { id: "bank", jwks, redirectUris };
const withoutKeys: ClientConfig = { id: "spa", redirectUris, authentication: ["none"] };

/** The settings of the profile, with changes to the one client that fits it. */
const bank = (changes: Partial<ClientConfig> = {}): Partial<Config> => ({
  clients: [{ ...fitting, ...changes }],
});

const openFapi = (config: Partial<Config> = {}) =>
  createFullServer({ issuer, profile: "fapi-2.0", ...config }).context;

/** The problem that a section of the profile makes of a setting. */
const problem = (text: string, section: string) =>
  `${text} under the profile fapi-2.0 (FAPI 2.0 Security Profile, section ${section})`;
const method = "authentication must be private_key_jwt or a method with a certificate";
const wrongMethod = problem(method, "5.3.2.1");
const algs = "PS256, ES256, EdDSA";

describe("The profile fapi-2.0 (FAPI 2.0 Security Profile)", () => {
  it("never signs with RS256: the server's alg signs ID tokens", () => {
    for (const alg of ["ES256", "PS256"] as const) {
      const { idTokenAlg, idTokenAlgs } = openFapi({ alg }).settings;
      assertEquals([idTokenAlg, idTokenAlgs()], [alg, [alg]]);
    }
  });

  it("fills in what it requires", () => {
    const { settings } = openFapi(bank());
    const { requirePar, refreshTokens, lifetimes, alg, idTokenAlgs, dpopAlgs } = settings;
    assertEquals([requirePar, refreshTokens, lifetimes.code, alg], [true, "keep", 60, "ES256"]);
    assertEquals([idTokenAlgs(), dpopAlgs.includes("RS256")], [["ES256"], false]);
  });

  it("makes a client from its keys: private_key_jwt, bound tokens, pushed requests", async () => {
    const client = await findClient(openFapi(bank()), "bank");
    const { authentication, dpop, requirePar, pkce } = present(client);
    assertEquals(authentication, ["private_key_jwt"]);
    assertEquals([dpop, requirePar, pkce], ["required", true, "required"]);
  });

  it("advertises neither RS256 nor another way to authenticate", () => {
    const metadata = openFapi(bank()).metadata();
    assertEquals(JSON.stringify(metadata).includes("RS256"), false);
    assertEquals(metadata.token_endpoint_auth_methods_supported, ["private_key_jwt"]);
  });

  it("publishes no RS256 key, and signs with none", async () => {
    const suite = openFapiSuite(false);
    const { body } = await suite.redeem(await suite.code());
    const { keys } = await (await suite.kit.get("/oauth2/jwks")).json();
    assertEquals(keys.filter(({ alg }: { alg: string }) => alg === "RS256"), []);
    for (const jwt of [body.access_token, body.id_token]) {
      assertEquals(decodeProtectedHeader(jwt).alg, "ES256");
    }
  });

  it("ensure-signed-client-assertion-with-RS256-fails: also with a key of the client", async () => {
    const key = await makeClientKey("RS256");
    const kit = openKit({ profile: "fapi-2.0", ...bank({ jwks: { keys: [key.publicJwk] } }) });
    const asked = { client_id: "bank", ...await assertion(kit, "bank", key) };
    const { status, body } = await kit.push(asked);
    assertEquals([status, body.error], [401, "invalid_client"]);
  });

  if (hasFeature("registration")) {
    it("a client that registers must fit, and learns what the profile adds", async () => {
      const kit = openKit({ profile: "fapi-2.0" });
      const refused = await register(kit);
      assertEquals([refused.status, refused.body.error], [400, "invalid_client_metadata"]);
      const method = { token_endpoint_auth_method: "private_key_jwt" };
      const { body } = await register(kit, { ...method, jwks });
      const { dpop_bound_access_tokens, require_pushed_authorization_requests } = body;
      assertEquals([dpop_bound_access_tokens, require_pushed_authorization_requests], [true, true]);
    });
  }

  const native = { native: true, redirectUris: ["http://127.0.0.1/cb"] };
  const good: Record<string, Partial<Config>> = {
    "another one of its algorithms": { alg: "PS256" },
    "shorter lifetimes of codes": { lifetimes: { code: "30s" } },
    "a native client with a key": bank(native),
  };
  for (const [what, changes] of Object.entries(good)) {
    it(`accepts ${what}`, () => {
      assertEquals(problemsOf({ issuer, profile: "fapi-2.0", ...changes }), []);
    });
  }

  const mustPush = problem("requirePar must be true", "5.3.2.2");
  const wrongAlg = problem(`alg must be one of ${algs}`, "5.4.1");
  const bad: Array<[changes: Partial<Config>, ...problems: string[]]> = [
    [{ requirePar: false }, mustPush],
    [
      { lifetimes: { code: "61s" } },
      problem("lifetimes.code must be at most 60 seconds", "5.3.2.1"),
    ],
    [{ refreshTokens: "rotate" }, problem("refreshTokens must be 'keep'", "5.3.2.1")],
    [{ alg: "RS256" }, wrongAlg],
    [{ idTokenAlgs: ["RS256"] }, problem(`idTokenAlgs must be among ${algs}`, "5.4.1")],
    [{ dpopAlgs: ["RS256"] }, problem(`dpopAlgs must be among ${algs}, Ed25519`, "5.4.1")],
    [
      { issuer: "http://id.example", insecure: { httpIssuer: true } },
      problem("issuer must use https", "5.2.1"),
    ],
    [bank({ authentication: ["none"] }), `clients[0].${wrongMethod}`],
    [bank({ secret: "s" }), problem("clients[0].secret must be left out", "5.3.2.1")],
    [
      bank({ dpop: "optional" }),
      problem(
        "clients[0].dpop must be 'required' unless certificateBoundTokens is true",
        "5.3.2.1",
      ),
    ],
    [
      bank({ requirePar: false }),
      "clients[0].requirePar is false, but the server requires it of every client",
    ],
    [bank({ pkce: "optional" }), problem("clients[0].pkce must be 'required'", "5.3.2.2")],
    [
      bank({ assertionAudience: "token-endpoint" }),
      problem("clients[0].assertionAudience must be 'issuer'", "5.3.2.1"),
    ],
    [
      bank({ redirectUris: native.redirectUris }),
      problem(
        "clients[0].redirectUris must use https, or http on loopback if the client is native,",
        "5.3.2.2",
      ),
    ],
    [
      bank({ idTokenAlg: "RS256" }),
      problem(`clients[0].idTokenAlg must be one of ${algs}`, "5.4.1"),
    ],
    [
      bank({ authenticationAlg: "RS256" }),
      "clients[0].authenticationAlg must be one of: PS256, ES256, EdDSA, Ed25519",
    ],
    [
      { requirePar: false, alg: "RS256", clients: [fitting, withoutKeys] },
      ...[mustPush, wrongAlg, `clients[1].${wrongMethod}`],
    ],
  ];
  if (hasFeature("registration")) {
    const lenient = { pkce: "optional", assertionAudience: "token-endpoint" } as const;
    bad.push([
      { registration: { initialAccessToken: "x".repeat(32), ...lenient } },
      problem("registration.pkce must be 'required'", "5.3.2.2"),
      problem("registration.assertionAudience must be 'issuer'", "5.3.2.1"),
    ]);
  }
  for (const [changes, ...problems] of bad) {
    it(`reports what contradicts it: ${problems.join("; ")}`, () => {
      assertEquals(problemsOf({ issuer, profile: "fapi-2.0", ...changes }), problems);
    });
  }

  it("applies to clients that are added later", async () => {
    const problems = await addClient(openFapi(), withoutKeys).catch((cause) => cause.problems);
    assertEquals(problems, [wrongMethod]);
  });

  it("Y8: applies to clients in the store when they are used, and hallpass check names them", async () => {
    const store = memoryStore();
    const { context } = openStrictKit({ store }).server;
    const strict = openStrictKit({ store, profile: "fapi-2.0" }).server.context;
    await addClient(context, { id: "weak", secret: "weak-secret-of-22-chars", redirectUris });
    const jwksUri = "https://app.example/jwks";
    const authentication: ClientConfig["authentication"] = ["private_key_jwt"];
    await addClient(strict, { id: "strong", redirectUris, authentication, jwksUri });
    const known = (ctx: typeof context) =>
      Promise.all(["weak", "strong"].map(async (id) => (await findClient(ctx, id))?.id));
    assertEquals(await known(context), ["weak", "strong"]);
    assertEquals(await known(strict), [undefined, "strong"]);
    const { problems } = await readDirectory(strict);
    assertEquals(problems[0], `client 'weak' in the store: ${wrongMethod}`);
  });
});
