import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { decodeJwt, exportJWK, SignJWT } from "jose";
import { describe, it } from "node:test";
import type { ReplayChanges } from "../../../../src/lab/features/replay/replay_changes.ts";
import type { LabConfig } from "../../../../src/lab/lab_config.ts";
import { LabError } from "../../../../src/lab/testing/mod.ts";
import {
  assertionClaims,
  assertionType,
  makeClientKey,
  signWithSecret,
} from "../../../support/client_key.ts";
import { type Fields, openLabKit } from "../../../support/kit.ts";
import { present } from "../../../support/present.ts";

const issuer = "http://localhost:9000";
const secret = "service-secret-of-at-least-32-characters";
const grantTypes = ["client_credentials"];
const withSecret = { id: "service", secret, authentication: ["client_secret_jwt"], grantTypes };

/** Opens a lab in which a service got a token with an assertion that it signed. */
async function openService(
  client: object,
  sign: (kit: ReturnType<typeof openLabKit>) => Promise<string>,
) {
  const clients = [client] as unknown as LabConfig["clients"];
  const kit = openLabKit({ issuer, clients });
  const assertion = await sign(kit);
  const fields: Fields = {
    grant_type: "client_credentials",
    client_assertion_type: assertionType,
    client_assertion: assertion,
  };
  assertEquals((await kit.token(fields)).status, 200);
  const id = present(kit.lab.exchanges().at(-1)).id;
  return { kit, assertion, replay: (changes?: ReplayChanges) => kit.lab.replay(id, changes) };
}

const openSecret = (alg = "HS256") =>
  openService(withSecret, (kit) => signWithSecret(secret, assertionClaims(kit, "service"), alg));

/** Opens a lab whose service has a key that only the test knows. */
async function openKey(alg = "ES256") {
  const key = await makeClientKey(alg, "own");
  const jwks = { keys: [{ ...key.publicJwk, alg }] };
  const client = { id: "service", jwks, authentication: ["private_key_jwt"], grantTypes };
  const opened = await openService(client, (kit) => key.sign(assertionClaims(kit, "service")));
  return { ...opened, privateKeys: [await exportJWK(key.privateKey)] };
}

/** A change of claims that no rule is about. */
const harmless = { client_assertion: { extra: "x" } };

describe("A client assertion with other claims", () => {
  for (const alg of ["HS256", "HS384", "HS512"]) {
    it(`of client_secret_jwt is signed with the secret that the lab knows: ${alg}`, async () => {
      const { kit, replay, assertion } = await openSecret(alg);
      kit.lab.clock.advance("10m");
      const { replay: sent } = await replay({ claims: harmless, secrets: true });
      assertEquals(sent.response?.status, 200);
      const before = decodeJwt(assertion);
      const later = decodeJwt(present(sent.parameters.client_assertion));
      const times = { iat: present(before.iat) + 600, exp: present(before.exp) + 600 };
      assertEquals(later, { ...before, ...times, jti: present(later.jti), extra: "x" });
      assert(later.jti !== before.jti);
    });
  }

  for (const alg of ["ES256", "PS256", "EdDSA"]) {
    it(`of private_key_jwt needs the key, which the test gives: ${alg}`, async () => {
      const { replay, privateKeys } = await openKey(alg);
      const attempt = () => replay({ claims: harmless });
      await assertRejects(attempt, LabError, "The lab does not have the key that signed the");
      const { replay: again, summary } = await replay({ claims: harmless, privateKeys });
      assertEquals(again.response?.status, 200, summary);
    });
  }

  it("is not signed with a key that did not sign the recorded one", async () => {
    const { replay } = await openKey();
    const other = await makeClientKey("ES256", "own");
    const privateKeys = [await exportJWK(other.privateKey)];
    const again = replay({ claims: harmless, privateKeys });
    await assertRejects(() => again, LabError, "does not have the key");
  });

  it("is not signed by a secret where the recorded one had another", async () => {
    const { kit } = await openSecret();
    const wrong = await signWithSecret("w".repeat(32), assertionClaims(kit, "service"));
    await kit.token({
      grant_type: "client_credentials",
      client_assertion_type: assertionType,
      client_assertion: wrong,
    });
    const id = present(kit.lab.exchanges().at(-1)).id;
    const again = kit.lab.replay(id, { claims: harmless });
    await assertRejects(() => again, LabError, "does not have the key");
  });

  it("claims what the test wants, and shows the rule that refuses it", async () => {
    const { replay } = await openSecret();
    const changes: Array<[claims: Record<string, unknown>, status: number]> = [
      [{ aud: "https://other.example" }, 401],
      [{ exp: null }, 401],
      [{ sub: "someone-else" }, 401],
      [{ extra: "x" }, 200],
    ];
    for (const [client_assertion, status] of changes) {
      const { replay: sent } = await replay({ claims: { client_assertion }, secrets: true });
      assertEquals(sent.response?.status, status, JSON.stringify(client_assertion));
      const claims = decodeJwt(present(sent.parameters.client_assertion));
      const [[name, value] = ["", null]] = Object.entries(client_assertion);
      assertEquals(claims[name], value ?? undefined);
    }
  });

  it("never shows the secret or the key", async () => {
    const { replay, privateKeys } = await openKey();
    const shown = JSON.stringify(await replay({ claims: harmless, privateKeys, secrets: true }));
    assert(!shown.includes(present(privateKeys[0]?.d)));
  });
});

describe("A DPoP proof with other claims", () => {
  it("is signed with a key that the test gives", async () => {
    const kit = openLabKit({ issuer });
    const key = await makeClientKey();
    const proof = await new SignJWT({ htm: "POST", htu: `${issuer}/oauth2/token`, jti: "j" })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: key.publicJwk })
      .setIssuedAt(Math.floor(kit.clock.now / 1000)).sign(key.privateKey);
    const service = { client_id: "demo-service", client_secret: "demo-service-secret" };
    const fields = { grant_type: "client_credentials", ...service };
    assertEquals((await kit.token(fields, { dpop: proof })).status, 200);
    const id = present(kit.lab.exchanges().at(-1)).id;
    const privateKeys = [await exportJWK(key.privateKey)];
    const claims = { dpop: { extra: "x" } };
    const { replay, summary } = await kit.lab.replay(id, { claims, privateKeys });
    assertEquals(replay.response?.status, 200, summary);
    const wrong = await kit.lab.replay(id, { claims: { dpop: { htm: "GET" } }, privateKeys });
    assertStringIncludes(present(wrong.replay.refusal?.rule), "dpop");
  });
});

describe("What cannot be signed again", () => {
  const refused: Array<[changes: unknown, message: string]> = [
    [{ claims: { assertions: {} } }, "There is no signed JWT 'assertions'"],
    [{ claims: { client_assertion: "x" } }, "'claims.client_assertion' must be an object"],
    [{ claims: { assertion: { a: 1 } } }, "The request has no 'assertion' that can be signed"],
    [{
      claims: { client_assertion: { a: 1 } },
      parameters: { client_assertion: "mine" },
    }, "does not have the key that signed the 'client_assertion'"],
    [{ privateKeys: {} }, "'privateKeys'"],
    [{ privateKeys: [7] }, "'privateKeys[0]' must be a private key"],
    [{ privateKeys: [{ kty: "EC" }] }, "'privateKeys[0]' must be a private key"],
  ];
  for (const [changes, message] of refused) {
    it(`is refused before it is sent: ${JSON.stringify(changes)}`, async () => {
      const { kit, replay } = await openSecret();
      const before = kit.lab.exchanges().length;
      await assertRejects(() => replay(changes as ReplayChanges), LabError, message);
      assertEquals(kit.lab.exchanges().length, before);
    });
  }
});
