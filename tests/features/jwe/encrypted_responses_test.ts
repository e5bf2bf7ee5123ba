import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeProtectedHeader, type JWK } from "jose";
import { describe, it } from "node:test";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import {
  contentAlgorithms,
  type JweClientConfig,
  keyAlgorithms,
  olderAlgorithms,
} from "../../../src/server/features/jwe/config.ts";
import { featuresOf } from "../../../src/server/issuer/active_features.ts";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import { signForClient } from "../../../src/server/issuer/tokens/issue_tokens.ts";
import type { Client } from "../../../src/server/model/client.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { claimsOf, type Kit, openKit, openStrictKit, read } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { register } from "../../support/registration.ts";
import { hasFeature, needs } from "../../support/where_feature.ts";
import {
  asApp,
  type EncryptingClient,
  makeEncryptingClient,
  redirectUri,
} from "./encrypting_client.ts";

const toApp = { client_id: "app", redirect_uri: redirectUri, scope: "openid email" };
const ec = "ECDH-ES+A256KW";
const gcm = "A256GCM";

function open({ config }: EncryptingClient, changes: Partial<LabConfig> = {}): Kit {
  return openKit({ clients: [config], ...changes });
}

async function redeem(kit: Kit) {
  return await kit.redeem(await kit.code(toApp), { redirect_uri: redirectUri }, asApp);
}

describe("An encrypted ID token (OpenID Connect Core, section 10.2)", () => {
  for (const alg of keyAlgorithms) {
    for (const enc of contentAlgorithms) {
      it(`E01: holds the signed one, for ${alg} and ${enc}`, async () => {
        const settings = { idTokenEncryptionAlg: alg, idTokenEncryptionEnc: enc };
        const client = await makeEncryptingClient(alg, settings);
        const kit = open(client);
        const { id_token, access_token } = (await redeem(kit)).body;
        const { header, text } = await client.decrypt(id_token);
        const { epk: _, ...named } = header;
        assertEquals(named, { alg, enc, kid: "decrypts", cty: "JWT" });
        assertEquals(decodeProtectedHeader(text).alg, "RS256");
        assertEquals([claimsOf(text).iss, claimsOf(text).aud], [kit.issuer, "app"]);
        assertEquals(access_token.split(".").length, 3);
      });
    }
  }

  it("E04: takes a key whose use is to encrypt before one without a use", async () => {
    const settings = { idTokenEncryptionAlg: ec, idTokenEncryptionEnc: gcm } as const;
    const client = await makeEncryptingClient(ec, settings);
    const [signs = {}, encrypts = {}] = present(client.config.jwks).keys;
    const { use: _, ...unused } = signs;
    client.config.jwks = { keys: [unused, encrypts] };
    const { id_token } = (await redeem(open(client))).body;
    assertEquals((await client.decrypt(id_token)).header.kid, "decrypts");
  });

  it("is what a refresh returns, too, and a hint once it is decrypted", async () => {
    const client = await makeEncryptingClient(ec, {
      idTokenEncryptionAlg: ec,
      idTokenEncryptionEnc: gcm,
    });
    const kit = open(client);
    const { refresh_token } = (await redeem(kit)).body;
    const { id_token } = (await kit.refresh(refresh_token, {}, asApp)).body;
    const { text } = await client.decrypt(id_token);
    const hinted = async (id_token_hint: string) =>
      (await kit.ask({ ...toApp, prompt: "none", id_token_hint })).headers.get("Location");
    assert(present(await hinted(text)).includes("error=login_required"));
    assert(present(await hinted(id_token)).includes("error=invalid_request"));
  });

  it("has a logout token beside it that is encrypted alike", async () => {
    const client = await makeEncryptingClient(ec, {
      idTokenEncryptionAlg: ec,
      idTokenEncryptionEnc: gcm,
    });
    const { context } = open(client).server;
    const app = present(await findClient(context, "app"));
    const token = await signForClient(context, app, { typ: "logout+jwt", claims: { sub: "a" } });
    assertEquals(claimsOf((await client.decrypt(token)).text).sub, "a");
  });

  it("E02: is encrypted for a stored client whose 'enc' is missing, too", async () => {
    const client = await makeEncryptingClient(ec, { idTokenEncryptionAlg: ec });
    const { context } = openKit().server;
    const row = { ...client.config, trusted: true } as unknown as Client;
    const sealed = present(featuresOf(context).envelope).seal(
      context,
      row,
      "idToken",
      () => "a.b.c",
    );
    assertEquals((await client.decrypt(present(await sealed))).text, "a.b.c");
  });

  it("E02: is never replaced by a plain one where the client publishes no key for it", async () => {
    const jwksUri = "https://app.example/jwks";
    const client = await makeEncryptingClient(ec, {
      idTokenEncryptionAlg: ec,
      idTokenEncryptionEnc: gcm,
    });
    const { jwks, ...config } = client.config;
    const [signs] = present(jwks).keys;
    for (const response of [() => Response.json({ keys: [signs] }), () => Response.error()]) {
      const fetch = () => Promise.resolve(response());
      const kit = openKit({ clients: [{ ...config, jwksUri }], fetch });
      const { status, body } = await redeem(kit);
      assertEquals([status, body.error, body.id_token], [400, "invalid_request", undefined]);
    }
  });

  const unusable: Array<[what: string, alg: string, changes: JWK]> = [
    ["for other operations", "RSA-OAEP-256", { key_ops: ["verify"] }],
    ["too short", "RSA-OAEP-256", { n: "AQAB" }],
    ["on no curve", ec, { x: "A".repeat(43) }],
  ];
  for (const [what, alg, changes] of unusable) {
    it(`E02: is the same error where the key is ${what}`, async () => {
      const settings = { idTokenEncryptionAlg: alg, idTokenEncryptionEnc: gcm } as JweClientConfig;
      const client = await makeEncryptingClient(alg, settings);
      Object.assign(present(client.config.jwks?.keys[1]), changes);
      const { jwks, ...config } = client.config;
      const fetch = () => Promise.resolve(Response.json(jwks));
      const published = { ...config, jwksUri: "https://app.example/jwks" };
      const { status, body } = await redeem(openKit({ clients: [published], fetch }));
      assertEquals([status, body.error, body.id_token], [400, "invalid_request", undefined]);
    });
  }
});

describe("An encrypted userinfo response (OpenID Connect Core, section 5.3.2)", () => {
  for (const userinfoAlg of [undefined, "ES256"] as const) {
    it(`E03: holds ${userinfoAlg ? "a signed one" : "the claims"}, with iss and aud`, async () => {
      const client = await makeEncryptingClient(ec, {
        userinfoEncryptionAlg: ec,
        userinfoEncryptionEnc: gcm,
      });
      client.config.userinfoAlg = userinfoAlg as "ES256";
      const kit = open(client);
      const { access_token } = (await redeem(kit)).body;
      const { headers, text } = await kit.userinfo(access_token);
      const opened = await client.decrypt(text);
      const claims = userinfoAlg ? claimsOf(opened.text) : JSON.parse(opened.text);
      assertEquals(headers.get("Content-Type"), "application/jwt");
      assertEquals([claims.iss, claims.aud, claims.email], [
        ...[kit.issuer, "app", "alice@example.com"],
      ]);
      assertEquals(opened.header.cty, userinfoAlg && "JWT");
    });
  }
});

describe("Other encrypted responses", () => {
  it("are JWTs of introspection (RFC 9701, section 5)", needs("introspection"), async () => {
    const client = await makeEncryptingClient(ec, {
      introspectionEncryptionAlg: ec,
      introspectionEncryptionEnc: gcm,
    });
    const kit = open(client);
    const { access_token } = (await redeem(kit)).body;
    const asJwt = { ...asApp, Accept: "application/token-introspection+jwt" };
    const { text } = await kit.introspect(access_token, {}, asJwt);
    const opened = await client.decrypt(text);
    assertEquals(claimsOf(opened.text).token_introspection.active, true);
  });

  it("are authorization responses, and their errors (JARM, section 2.2)", async () => {
    const client = await makeEncryptingClient("RSA-OAEP-256", {
      authorizationResponseEncryptionAlg: "RSA-OAEP-256",
      authorizationResponseEncryptionEnc: gcm,
    });
    const kit = open(client);
    const responseOf = async (changes: object) => {
      const callback = await kit.authorize({ ...toApp, response_mode: "jwt", ...changes });
      assertEquals([...callback.keys()], ["response"]);
      return claimsOf((await client.decrypt(present(callback.get("response")))).text);
    };
    assertEquals((await responseOf({})).aud, "app");
    const asked = await kit.ask({ ...toApp, response_mode: "jwt", prompt: "none" });
    const { searchParams } = new URL(present(asked.headers.get("Location")));
    const { text } = await client.decrypt(present(searchParams.get("response")));
    assertEquals(claimsOf<{ error: string }>(text).error, "login_required");
  });

  it("E02: fail where no key can be found: nothing is sent in the open", async () => {
    const client = await makeEncryptingClient(ec, {
      authorizationResponseEncryptionAlg: ec,
      authorizationResponseEncryptionEnc: gcm,
    });
    const { jwks: _, ...config } = client.config;
    const fetch = () => Promise.resolve(Response.json({ keys: [] }));
    const jwksUri = "https://app.example/jwks";
    const kit = openKit({ clients: [{ ...config, jwksUri }], fetch });
    const response = await kit.ask({ ...toApp, response_mode: "jwt", prompt: "none" });
    assertEquals([response.status, response.headers.get("Location")], [400, null]);
  });
});

describe("The settings of encryption", () => {
  it("E04: refuse a client whose keys only encrypt, unless it has an authentication", async () => {
    const { config } = await makeEncryptingClient(ec);
    const { secret: _, jwks, ...open } = config;
    const keys = present(jwks).keys.filter(({ use }) => use === "enc");
    const problems = (changes: object) =>
      problemsOf({
        issuer: "https://id.example",
        clients: [{ ...open, jwks: { keys }, ...changes }],
      });
    assert(problems({}).some((each) => each.includes("has no key that signs")));
    assertEquals(problems({ authentication: ["none"] }), []);
  });

  const refused: Array<[what: string, settings: object, problem: RegExp]> = [
    ["E08: an alg without enc", { idTokenEncryptionAlg: ec }, /EncryptionEnc is missing; choose/],
    ["E08: an enc without alg", { userinfoEncryptionEnc: gcm }, /userinfoEncryptionAlg is missing/],
    ["RSA1_5", { idTokenEncryptionAlg: "RSA1_5", idTokenEncryptionEnc: gcm }, /must be one of/],
    ["dir", { idTokenEncryptionAlg: "dir", idTokenEncryptionEnc: gcm }, /must be one of/],
    [
      "a key of another type",
      { idTokenEncryptionAlg: "RSA-OAEP-256", idTokenEncryptionEnc: gcm },
      /needs a key for RSA-OAEP-256 in the client's jwks/,
    ],
    [
      "E04: only a key that signs",
      { idTokenEncryptionAlg: "ECDH-ES", idTokenEncryptionEnc: gcm },
      /needs a key for ECDH-ES in the client's jwks/,
    ],
  ];
  for (const [what, settings, problem] of refused) {
    it(`refuse ${what}`, async () => {
      const { config } = await makeEncryptingClient(ec, settings);
      const problems = problemsOf({ issuer: "https://id.example", clients: [config] });
      assert(problems.some((each) => problem.test(each)), problems.join());
    });
  }
});

describe("A client that registers for encryption", () => {
  const members = {
    id_token_encrypted_response_alg: "ECDH-ES",
    id_token_encrypted_response_enc: "A128GCM",
  };

  it("gets encrypted ID tokens", needs("registration"), async () => {
    const client = await makeEncryptingClient("ECDH-ES");
    const kit = openKit({ jwe: true, clients: [] });
    const redirect_uris = [redirectUri];
    const { jwks } = client.config;
    const { status, body } = await register(kit, { ...members, jwks, redirect_uris });
    assertEquals(status, 201);
    const { client_id } = body;
    const code = await kit.code({ ...toApp, client_id });
    const { id_token } = (await kit.redeem(code, { client_id, redirect_uri: redirectUri })).body;
    assertEquals(claimsOf((await client.decrypt(id_token)).text).aud, client_id);
  });

  const strict = { registration: "open" } as const;

  const refused: Array<[what: string, jwe: boolean, changes: object]> = [
    ["the server offers none", false, {}],
    ["E08: without an enc", true, { id_token_encrypted_response_enc: undefined }],
    ["for RSA-OAEP with SHA-1", true, { id_token_encrypted_response_alg: "RSA-OAEP" }],
    ["for CBC", true, { id_token_encrypted_response_enc: "A128CBC-HS256" }],
    ["for a key that it does not have", true, { id_token_encrypted_response_alg: "RSA-OAEP-256" }],
  ];
  for (const [what, jwe, changes] of refused) {
    it(`is refused: ${what}`, needs("registration"), async () => {
      const { config: { jwks } } = await makeEncryptingClient("ECDH-ES");
      const kit = openStrictKit({ ...strict, jwe });
      const { body } = await register(kit, { ...members, jwks, ...changes });
      assertEquals(body.error, "invalid_client_metadata");
    });
  }

  it("X1 E06: may choose what the configuration names", needs("registration"), async () => {
    const { config: { jwks } } = await makeEncryptingClient("RSA-OAEP");
    const kit = openStrictKit({ ...strict, jwe: true, jweAlgs: ["RSA-OAEP", "A128CBC-HS256"] });
    const registered: Record<string, unknown> = (await register(kit, {
      jwks,
      id_token_encrypted_response_alg: "RSA-OAEP",
      request_object_encryption_alg: "RSA-OAEP",
    })).body;
    const { id_token_encrypted_response_enc: ofTokens, request_object_encryption_enc: ofRequests } =
      registered;
    assertEquals([ofTokens, ofRequests], ["A128CBC-HS256", "A128CBC-HS256"]);
    const response = await read(await kit.get("/.well-known/openid-configuration"));
    const metadata: Record<string, unknown> = response.body;
    const offered = ["A128GCM", "A192GCM", "A256GCM", "A128CBC-HS256"];
    assertEquals(metadata.id_token_encryption_enc_values_supported, offered);
  });

  const par = needs("pushed authorization requests");
  it(
    "X1: may have older algorithms under fapi-2.0, whose section 5.4 is about signatures",
    par,
    () => {
      const given = { issuer: "https://id.example", jwe: true, jweAlgs: [...olderAlgorithms] };
      assertEquals(problemsOf({ ...given, profile: "fapi-2.0" }), []);
    },
  );

  it("X1: names older algorithms for nothing if the server offers no encryption", () => {
    const problems = problemsOf({ issuer: "https://id.example", jweAlgs: ["RSA-OAEP"] });
    assertEquals(problems, ["jweAlgs needs jwe: true"]);
  });

  const weak: Array<[what: string, changes: JWK]> = [
    ["of 1024 bits", { n: "n".repeat(171) }],
    ["of 1024 bits, filled up with zeros", { n: "n".repeat(171).padStart(342, "A") }],
    ["with the exponent 1", { e: "AQ" }],
    ["with the exponent 1, in three bytes", { e: "AAAB" }],
  ];
  for (const [what, changes] of weak) {
    it(`E09: has no RSA key ${what}, in its settings and in its metadata`, async () => {
      const alg = "RSA-OAEP-256";
      const settings = { idTokenEncryptionAlg: alg, idTokenEncryptionEnc: gcm } as const;
      const { config } = await makeEncryptingClient(alg, settings);
      const { jwks } = config;
      Object.assign(present(jwks?.keys[1]), changes);
      const reason =
        /jwks\.keys\[1\]'? is an RSA key with .* less than 2048 bits or the exponent 1/;
      assertMatch(problemsOf({ issuer: "https://a.example", clients: [config] }).join(), reason);
      if (!hasFeature("registration")) return;
      const rsa = { ...members, id_token_encrypted_response_alg: alg, jwks };
      const { status, body } = await register(openKit({ jwe: true }), rsa);
      assertEquals([status, body.error], [400, "invalid_client_metadata"]);
      assertMatch(body.error_description, reason);
    });
  }
});
