import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, EmbeddedJWK, jwtVerify } from "jose";
import { describe, it } from "node:test";
import { type FaultName, hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { makeProof, proofKey } from "../../../support/dpop.ts";
import { login } from "../../../support/login.ts";
import { challenge, testClient } from "../../../support/test_client.ts";

const client = testClient({ client_id: "demo-web", client_secret: "demo-web-secret" });

/** Returns the ID token of a login of a confidential client, and uses the access token. */
async function idTokenOf(lab: TestLab, more: Record<string, string> = {}): Promise<string> {
  const { body } = await client.redeem(
    lab,
    await client.code(lab, { state: crypto.randomUUID(), ...more }),
  );
  await client.userinfo(lab, body.access_token);
  return body.id_token;
}

async function keysOf(lab: TestLab, url = `${lab.issuer}/oauth2/jwks`) {
  return createLocalJWKSet(await (await lab.fetch(url)).json());
}

/** Verifies as it must be: with the keys of the issuer, and with RS256. */
async function verify(lab: TestLab, jwt: string): Promise<void> {
  await jwtVerify(jwt, await keysOf(lab), { algorithms: ["RS256"] });
}

/** Each variant of an ID token, with a client that falls for it. */
const careless: Partial<Record<FaultName, (lab: TestLab, jwt: string) => Promise<unknown>>> = {
  "id_token.with_jwk": async (lab, jwt) => {
    await keysOf(lab);
    const { jwk } = decodeProtectedHeader(jwt);
    await (jwk ? jwtVerify(jwt, EmbeddedJWK) : verify(lab, jwt));
  },
  "id_token.with_jku": async (lab, jwt) => {
    const { jku } = decodeProtectedHeader(jwt);
    await jwtVerify(jwt, await keysOf(lab, jku));
  },
  "id_token.with_x5c": async (lab, jwt) => {
    await keysOf(lab);
    if (decodeProtectedHeader(jwt).x5c === undefined) await verify(lab, jwt);
  },
  "id_token.hs256_with_secret": async (lab, jwt) => {
    if (decodeProtectedHeader(jwt).alg !== "HS256") return await verify(lab, jwt);
    await jwtVerify(jwt, new TextEncoder().encode("demo-web-secret"));
  },
  "id_token.foreign_azp": verify,
};

describe("A new variant of an ID token", () => {
  for (const [fault, accepts] of Object.entries(careless)) {
    it(`is found in a client that falls for it, and no other: ${fault}`, async () => {
      await using lab = await hallpass();
      const only = [fault as FaultName];
      const attempt = async () => await accepts(lab, await idTokenOf(lab));
      const { findings, verdict } = await lab.drill(attempt, only);
      assertEquals([...findings, ...verdict.notes].map(({ id }) => id), only);
      const strict = async () => {
        const jwt = await idTokenOf(lab);
        await verify(lab, jwt);
        assertEquals(decodeJwt(jwt).azp ?? "demo-web", "demo-web");
      };
      const strictly = await lab.drill(strict, only);
      assertEquals([strictly.findings, strictly.verdict.notes], [[], []]);
    });
  }

  it("is met only where max_age was asked for: id_token.old_auth_time", async () => {
    await using lab = await hallpass();
    const only: FaultName[] = ["id_token.old_auth_time"];
    const asking = async () => {
      const { auth_time } = decodeJwt(await idTokenOf(lab, { max_age: "60" }));
      assert(Number(auth_time) > Date.now() / 1000 - 120);
    };
    assertEquals((await lab.drill(asking, only)).refused, only);
    const lenient = async () => void await idTokenOf(lab, { max_age: "60" });
    assertEquals((await lab.drill(lenient, only)).findings.map(({ grade }) => grade), ["B"]);
    assertEquals((await lab.drill(async () => void await idTokenOf(lab), only)).unmet, only);
  });
});

describe("A token that is used before the nonce was compared (RFC 9700, section 4.5.3.2)", () => {
  const only: FaultName[] = ["id_token.wrong_nonce"];

  it("is found in a client without PKCE alone", async () => {
    await using lab = await hallpass({
      clients: [{
        id: "app",
        secret: "a-secret",
        pkce: "optional",
        redirectUris: ["https://app.example/cb"],
      }],
    });
    for (const code_challenge of [undefined, challenge]) {
      const app = testClient({
        client_id: "app",
        client_secret: "a-secret",
        redirect_uri: "https://app.example/cb",
      });
      const nonce = crypto.randomUUID() + crypto.randomUUID();
      const attempt = async () => {
        const request = { code_challenge, nonce, state: crypto.randomUUID() };
        const method = code_challenge === undefined && { code_challenge_method: undefined };
        const code = await app.code(lab, { ...request, ...method });
        const verifier = code_challenge === undefined && { code_verifier: undefined };
        const { body } = await app.redeem(lab, code, { ...verifier });
        await app.userinfo(lab, body.access_token);
        assertEquals(decodeJwt(body.id_token).nonce, nonce);
      };
      const { findings } = await lab.drill(attempt, only);
      assertEquals(findings.length, code_challenge === undefined ? 1 : 0);
    }
  });
});

describe("Metadata of a wrong issuer", () => {
  const only: FaultName[] = ["metadata.wrong_issuer"];

  it("counts as believed if the client goes on to authorize, and fails later", async () => {
    await using lab = await hallpass();
    const late = async () => {
      const { issuer } = await client.metadata(lab);
      await idTokenOf(lab);
      assertEquals(issuer, lab.issuer);
    };
    const { accepted, findings } = await lab.drill(late, only);
    assertEquals(accepted.map(({ fault }) => fault), only);
    assertStringIncludes(findings[0]?.received ?? "", "a login that went on, and failed later: ");
    assertEquals((await lab.drill(() => login(lab), only)).refused, only);
  });
});

describe("A Bearer token that answers a proof of DPoP (RFC 9449, section 5)", () => {
  it("is found in a client that uses it: token.bearer_for_dpop", async () => {
    await using lab = await hallpass();
    const only: FaultName[] = ["token.bearer_for_dpop"];
    const key = await proofKey();
    const proofFor = (method: string, url: string, token?: string) =>
      makeProof(key, method, url, { now: Date.now(), ...token && { token } });
    const attempt = async (isCareful: boolean) => {
      const url = `${lab.issuer}/oauth2/token`;
      const code = await client.code(lab, { state: crypto.randomUUID() });
      const headers = { DPoP: await proofFor("POST", url) };
      const { body } = await client.redeem(lab, code, {}, headers);
      if (isCareful) assertEquals(body.token_type, "DPoP");
      const userinfo = `${lab.issuer}/oauth2/userinfo`;
      const proof = await proofFor("GET", userinfo, body.access_token);
      const response = await lab.fetch(userinfo, {
        headers: { Authorization: `${body.token_type} ${body.access_token}`, DPoP: proof },
      });
      assertEquals(response.status, 200);
    };
    const { findings } = await lab.drill(() => attempt(false), only);
    assertEquals(findings.map(({ id, grade }) => [id, grade]), [[only[0], "C"]]);
    assertEquals((await lab.drill(() => attempt(true), only)).findings, []);
  });
});
