import { assert, assertEquals } from "@std/assert";
import { FlattenedEncrypt, type JWK, UnsecuredJWT } from "jose";
import { describe, it } from "node:test";
import { contentAlgorithms, keyAlgorithms } from "../../../src/server/features/jwe/config.ts";
import { verifyOwnJwt } from "../../../src/server/issuer/keys/own_jwt.ts";
import { rotateKey } from "../../../src/server/issuer/keys/rotate_keys.ts";
import { textOf } from "../../support/browser.ts";
import { type Kit, openLabKit, read } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { needs } from "../../support/where_feature.ts";
import {
  asApp,
  encrypt,
  encryptionKeys,
  makeEncryptingClient,
  redirectUri,
} from "./encrypting_client.ts";

const client = await makeEncryptingClient("ECDH-ES");

/** Opens a lab, which has RSA keys at once. */
function open(changes: object = {}, ofClient: object = {}): Kit {
  return openLabKit({ jwe: true, clients: [{ ...client.config, ...ofClient }], ...changes });
}

async function requestObject({ issuer, authorizationUrl }: Kit, changes: object = {}) {
  const url = new URL(authorizationUrl({ client_id: "app", redirect_uri: redirectUri }));
  const claims = { ...Object.fromEntries(url.searchParams), iss: "app", aud: issuer, ...changes };
  return await client.signing.sign(claims, { typ: "oauth-authz-req+jwt" });
}

/** Sends a request object, and returns what its error page says; undefined if it is accepted. */
async function errorOf(kit: Kit, request: string): Promise<string | undefined> {
  const response = await kit.get(
    `/oauth2/authorize?${new URLSearchParams({ client_id: "app", request })}`,
  );
  if (response.status === 303) return undefined;
  return /The request object is invalid: (.*?)\. /.exec(textOf(await response.text()))?.[1];
}

const keyFor = async (kit: Kit, alg: string) =>
  present((await encryptionKeys(kit)).find((key) => key.alg === alg));

/** A header whose sender does not name the key. */
const unnamed = { kid: undefined as unknown as string };

const undecryptable = "it cannot be decrypted";

describe("An encrypted request object (RFC 9101, section 6.1)", () => {
  for (const alg of keyAlgorithms) {
    it(`X1: is read with a published key for ${alg}, and any enc`, async () => {
      const kit = open();
      for (const enc of contentAlgorithms) {
        const jwe = await encrypt(await requestObject(kit), await keyFor(kit, alg), { enc });
        assertEquals([enc, await errorOf(kit, jwe)], [enc, undefined]);
      }
      const jwe = await encrypt(await requestObject(kit), await keyFor(kit, alg), unnamed);
      assertEquals(await errorOf(kit, jwe), undefined);
    });
  }

  it("may be pushed", needs("pushed authorization requests"), async () => {
    const kit = open();
    const request = await encrypt(await requestObject(kit), await keyFor(kit, "ECDH-ES"));
    const { status } = await kit.sendForm("/oauth2/par", { request, client_id: "app" }, asApp);
    assertEquals(status, 201);
  });

  it("is refused without the setting, and no key is published", async () => {
    const kit = open({ jwe: false });
    assertEquals(await encryptionKeys(kit), []);
    const other = await keyFor(open(), "ECDH-ES");
    assertEquals(await errorOf(kit, await encrypt(await requestObject(kit), other)), undecryptable);
  });

  it("must use the algorithms that the client registered", async () => {
    const chosen = { requestObjectEncryptionAlg: "ECDH-ES", requestObjectEncryptionEnc: "A128GCM" };
    const kit = open({}, chosen);
    const send = async (alg: string, enc: string) =>
      await errorOf(kit, await encrypt(await requestObject(kit), await keyFor(kit, alg), { enc }));
    assertEquals(await send("ECDH-ES", "A128GCM"), undefined);
    assertEquals(await send("ECDH-ES", "A256GCM"), undecryptable);
    assertEquals(await send("RSA-OAEP-256", "A128GCM"), undecryptable);
  });

  /** Each has the same error, from which nothing follows about the key. */
  const broken: Array<[what: string, make: (kit: Kit, jwt: string, rsa: JWK) => Promise<string>]> =
    [
      ["an unknown kid", (_, jwt, rsa) => encrypt(jwt, rsa, { kid: "unknown" })],
      ["RSA-OAEP with SHA-1", (_, jwt, rsa) => encrypt(jwt, rsa, { alg: "RSA-OAEP" })],
      ["RSA-OAEP with SHA-1, and no kid", async (kit, jwt, rsa) => {
        const { keys } = kit.server.context;
        const jwe = await encrypt(jwt, rsa, { alg: "RSA-OAEP", ...unnamed });
        const before = (await keys.list()).length;
        await errorOf(kit, jwe);
        // Otherwise anyone could make the server create keys.
        assertEquals((await keys.list()).length, before);
        return jwe;
      }],
      ["CBC", (_, jwt, rsa) => encrypt(jwt, rsa, { enc: "A128CBC-HS256" })],
      [
        "a key of another algorithm",
        async (kit, jwt) =>
          await encrypt(jwt, await keyFor(kit, "ECDH-ES"), { alg: "ECDH-ES+A128KW" }),
      ],
      ["a changed tag", async (_, jwt, rsa) => changed(await encrypt(jwt, rsa), 4)],
      ["a changed text", async (_, jwt, rsa) => changed(await encrypt(jwt, rsa), 3)],
      ["a changed key", async (_, jwt, rsa) => changed(await encrypt(jwt, rsa), 1)],
      ["a header that is no JSON", async (_, jwt, rsa) => changed(await encrypt(jwt, rsa), 0)],
      ["compression", async (_, jwt, rsa) => compressed(jwt, rsa)],
      [
        "dir, with a key of the server's own kid",
        async (_, _jwt, rsa) =>
          `${btoa(JSON.stringify({ alg: "dir", enc: "A256GCM", kid: rsa.kid }))}..a.a.a`,
      ],
      ["PBES2", async (_, _jwt, rsa) => {
        const header = { alg: "PBES2-HS256+A128KW", enc: "A256GCM", kid: rsa.kid, p2c: 1e9 };
        return `${btoa(JSON.stringify(header)).replace(/=+$/, "")}.a.a.a.a`;
      }],
      ["an unknown crit", (_, jwt, rsa) => encrypt(jwt, rsa, { crit: ["x"], x: 1 }, { x: true })],
      ["the kid of a key that signs", async (kit, jwt, rsa) => {
        const { keys } = (await read(await kit.get("/oauth2/jwks"))).body as { keys: JWK[] };
        const { kid } = present(keys.find(({ use, kty }) => use === "sig" && kty === "RSA"));
        return await encrypt(jwt, { ...rsa, kid: present(kid) });
      }],
    ];
  for (const [what, make] of broken) {
    it(`E05 E06: is refused with one error: ${what}`, async () => {
      const kit = open({ jweAlgs: [] });
      const jwe = await make(kit, await requestObject(kit), await keyFor(kit, "RSA-OAEP-256"));
      assertEquals(await errorOf(kit, jwe), undecryptable);
    });
  }

  /** What was inside is checked as if it had come without encryption. */
  const inside: Array<[what: string, make: (kit: Kit) => Promise<string>, problem: string]> = [
    [
      "no signature",
      async () => new UnsecuredJWT({ client_id: "app" }).encode(),
      "its 'alg' is not one of",
    ],
    ["only claims", async () => JSON.stringify({ client_id: "app" }), "it is not a signed JWT"],
    [
      "another audience",
      (kit) => requestObject(kit, { aud: "https://other.test" }),
      "its 'aud' is not",
    ],
    ["another client", (kit) => requestObject(kit, { client_id: "b" }), "its 'client_id' is not"],
    [
      "a JWE",
      async (kit) => await encrypt("x", await keyFor(kit, "ECDH-ES")),
      "its 'alg' is not one of",
    ],
    ["a foreign signature", async (kit) => {
      const { signing } = await makeEncryptingClient("ECDH-ES");
      return await signing.sign({ iss: "app", client_id: "app", aud: kit.issuer });
    }, "no key of its signer verifies"],
  ];
  for (const [what, make, problem] of inside) {
    it(`CVE-2026-9793 E07: is refused with ${what} inside`, async () => {
      const kit = open();
      const error = present(
        await errorOf(kit, await encrypt(await make(kit), await keyFor(kit, "ECDH-ES"))),
      );
      assert(error.includes(problem), error);
    });
  }
});

describe("The keys that decrypt", () => {
  it("are published for each algorithm that a configuration names, and sign nothing", async () => {
    const kit = open();
    const named = (await encryptionKeys(kit)).map(({ alg }) => alg);
    assertEquals(named.sort(), [...keyAlgorithms].sort());
  });

  it("E06: are published for each algorithm but RSA-OAEP with SHA-1, and sign nothing", async () => {
    const kit = open({ jweAlgs: [] });
    const keys = await encryptionKeys(kit);
    assertEquals(keys.map(({ alg }) => alg).sort(), [
      "ECDH-ES",
      "ECDH-ES+A128KW",
      "ECDH-ES+A192KW",
      "ECDH-ES+A256KW",
      "RSA-OAEP-256",
      "RSA-OAEP-384",
      "RSA-OAEP-512",
    ]);
    assertEquals(keys.some((key) => "d" in key || "p" in key), false);
    const jwt = `${btoa(JSON.stringify({ alg: "RSA-OAEP-256", kid: keys[0]?.kid }))}.e30.AA`;
    assertEquals(await verifyOwnJwt(kit.server.context, jwt, "access token"), undefined);
  });

  it("rotate: the one before decrypts for as long as it is published", async () => {
    const kit = open();
    const { context } = kit.server;
    const before = await keyFor(kit, "ECDH-ES");
    await rotateKey(context, "ECDH-ES");
    kit.clock.advance(context.settings.keyRotation.overlap / 1000 + 60);
    const current = await context.keys.active("ECDH-ES");
    assert(current.kid !== before.kid);
    for (const key of [before, current.publicJwk]) {
      assertEquals(await errorOf(kit, await encrypt(await requestObject(kit), key)), undefined);
    }
  });

  it("E04: of clients verify nothing if their use is to encrypt", async () => {
    const { jwks } = client.config;
    const keys = present(jwks).keys.map((key) => ({ ...key, use: "enc" }));
    const kit = open({}, { jwks: { keys } });
    const error = present(await errorOf(kit, await requestObject(kit)));
    assert(error.includes("no key of its signer verifies"), error);
  });
});

/** Changes the first letter of a part. */
function changed(jwe: string, part: number): string {
  const parts = jwe.split(".");
  const text = present(parts[part]);
  parts[part] = (text.startsWith("A") ? "B" : "A") + text.slice(1);
  return parts.join(".");
}

async function compressed(jwt: string, key: JWK): Promise<string> {
  const header = { alg: "RSA-OAEP-256", enc: "A256GCM", kid: present(key.kid), zip: "DEF" };
  const { protected: head, encrypted_key, iv, ciphertext, tag } = await new FlattenedEncrypt(
    new TextEncoder().encode(jwt),
  ).setProtectedHeader(header).encrypt(key);
  return [head, encrypted_key, iv, ciphertext, tag].join(".");
}
