import { assert, assertEquals, assertMatch } from "@std/assert";
import { CompactSign, type JWK, SignJWT } from "jose";
import { describe } from "node:test";
import { isClientIdUrl } from "../../src/server/protocol/client_trust.ts";
import {
  assertion,
  assertionClaims,
  assertionType,
  makeClientKey,
  seconds,
} from "../support/client_key.ts";
import { makeProof, proofKey } from "../support/dpop.ts";
import { itWith } from "../support/it_with.ts";
import { type Kit, openKit, openStrictKit, read, type ReadResponse } from "../support/kit.ts";
import { register } from "../support/registration.ts";
import { hasFeature } from "../support/where_feature.ts";

const it = itWith({ withKit: () => openKit() });

/** What was published about peers, where no test of the rule itself carries the name. */

const key = await makeClientKey();

function openRobotKit(): Kit {
  const grantTypes = ["client_credentials"];
  return openKit({
    clients: [{ id: "robot", jwks: { keys: [key.publicJwk] }, grantTypes, scopes: ["read"] }],
  });
}

function ask(kit: Kit, fields: Record<string, string>): Promise<ReadResponse> {
  return kit.token({ grant_type: "client_credentials", ...fields });
}

describe("Incidents with client authentication", () => {
  it("CVE-2026-41707: no number of other assertions makes a used one valid again", async () => {
    const kit = openRobotKit();
    const used = await assertion(kit, "robot", key);
    assertEquals((await ask(kit, used)).status, 200);
    for (let others = 0; others < 300; others++) {
      const { status } = await ask(kit, await assertion(kit, "robot", key));
      assertEquals(status, 200);
    }
    assertEquals((await ask(kit, used)).body.error, "invalid_client");
  });

  it("ts-oauth2-server changelog: an unknown client and a wrong secret look the same", async () => {
    const kit = openStrictKit({ clients: [{ id: "web", secret: "s".repeat(32) }] });
    const wrong = await ask(kit, { client_id: "web", client_secret: "wrong" });
    const unknown = await ask(kit, { client_id: "nobody", client_secret: "wrong" });
    assertEquals([wrong.status, wrong.text], [unknown.status, unknown.text]);
    assert(!unknown.text.includes("nobody"));
  });

  it.withKit("CVE-2017-18924: no public client gets a code without PKCE", async (kit) => {
    const changes = { code_challenge: undefined, code_challenge_method: undefined };
    const { headers } = await kit.ask(changes);
    assertMatch(headers.get("Location") ?? "", /error=invalid_request/);
  });
});

describe("Incidents of oidc-provider 9.11", () => {
  for (
    const clientId of [
      "https://app.example",
      "https://app.example/",
      "https:///document",
      "https://app.example/document?",
      "https://app.example/document#",
      "https://@app.example/document",
      "https://:@app.example/document",
      "https://app.example:/document",
    ]
  ) {
    it(`oidc-provider 9.11: ${clientId} is no client id with a document`, () => {
      assertEquals(isClientIdUrl(clientId), false);
    });
  }

  it("oidc-provider 9.11: an opaque origin is as good as any other, and gets no credentials", async () => {
    const { headers } = await openKit().post("/oauth2/token", {}, { Origin: "null" });
    assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
    assertEquals(headers.get("Access-Control-Allow-Credentials"), null);
  });

  for (const htu of [["https://hallpass.test/oauth2/token"], { href: "x" }, 1, null, true]) {
    it.withKit(`oidc-provider 9.11: ${JSON.stringify(htu)} is no 'htu' of a proof`, async (kit) => {
      const url = `${kit.issuer}/oauth2/token`;
      const proof = await makeProof(await proofKey(), "POST", url, { claims: { htu } });
      const { body } = await kit.redeem(await kit.code(), {}, { DPoP: proof });
      assertEquals(body.error, "invalid_dpop_proof");
    });
  }

  for (const scope of ["read  openid", " read", "read ", 'read "', "read\\", "read\topenid", "é"]) {
    it.withKit(`oidc-provider 9.11: ${JSON.stringify(scope)} is no scope`, async (kit) => {
      const { headers } = await kit.ask({ scope });
      assertMatch(headers.get("Location") ?? "", /error=invalid_scope/);
    });
  }
});

describe("Incidents with users", () => {
  for (const username of ["alice@example.com", "ALICE", " alice", "alice ", "alice\u200b"]) {
    it(`CVE-2026-53516: ${JSON.stringify(username)} signs in nobody`, async () => {
      const kit = openKit({
        users: [{ name: "alice", password: "alice", claims: { email: "alice@example.com" } }],
      });
      const browser = kit.browser();
      const page = await browser.open(kit.authorizationUrl());
      const { status } = await browser.signIn(page, username, "alice");
      assertEquals(status, 422);
    });
  }

  it("CVE-2026-110864: claims about a user come from the server's own record alone", async () => {
    const kit = openRobotKit();
    const claims = { ...assertionClaims(kit, "robot"), name: "Admin", email: "a@b.c", scope: "x" };
    const { body } = await ask(kit, {
      client_assertion_type: assertionType,
      client_assertion: await key.sign(claims),
    });
    const [, payload = ""] = body.access_token.split(".");
    const issued = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    assertEquals([issued.sub, issued.name, issued.email], ["robot", undefined, undefined]);
    assertEquals((await read(await kit.get("/oauth2/userinfo"))).status, 401);
  });
});

describe("Incidents with files", () => {
  const outside = [
    ...["../deno.json", "..%2fdeno.json", "%2e%2e/deno.json", "..%5cdeno.json", "....//deno.json"],
    ...["%2fetc%2fpasswd", "style.css/../../deno.json", "style.css%00.svg", "__proto__"],
  ];
  for (const name of outside) {
    it(`CVE-2022-29967: /static/${name} is no file`, async () => {
      const response = await openKit().get(`/static/${name}`);
      assertEquals(response.status, 404);
      assertMatch(await response.text(), /not_found/);
    });
  }
});

describe("Incidents with keys", () => {
  const { x = "", y = "" } = key.publicJwk;
  const oversized: Array<[what: string, jwk: JWK]> = [
    ["a point that is longer than its curve", { ...key.publicJwk, x: x + x, y: y + y }],
    ["a coordinate of 48,000 bytes", { ...key.publicJwk, y: "A".repeat(64_000) }],
    ["a point of another curve", { ...key.publicJwk, crv: "P-384" }],
    ["an Ed25519 key of 64 bytes", { kty: "OKP", crv: "Ed25519", x: "A".repeat(86) }],
  ];
  for (const [what, jwk] of oversized) {
    if (hasFeature("registration")) {
      it(`CVE-2023-49208: ${what} is registered by nobody`, async () => {
        const method = { token_endpoint_auth_method: "private_key_jwt" };
        const { status } = await register(openKit(), { ...method, jwks: { keys: [jwk] } });
        assert(status === 400 || status === 413, `${status}`);
      });
    }

    it.withKit(`CVE-2023-49208: ${what} makes no proof`, async (kit) => {
      const { privateKey } = await proofKey();
      const header = { typ: "dpop+jwt", alg: "ES256", jwk };
      const claims = {
        jti: "a",
        htm: "POST",
        htu: `${kit.issuer}/oauth2/token`,
        iat: seconds(kit),
      };
      const proof = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
      const fields = { grant_type: "authorization_code", code: await kit.code() };
      const { status, body } = await kit.redeem(fields.code, {}, { DPoP: proof });
      assertEquals([status, body.error], [400, "invalid_dpop_proof"]);
    });
  }
});

describe("Incidents with what is signed", () => {
  const evil = "https://evil.example/cb";
  const registered = "https://hallpass.test/authorized";

  /** Returns where a signed request leads that names two redirect URIs. */
  async function followRequest(first: string, second: string): Promise<Response> {
    const kit = openKit({
      clients: [{ id: "app", jwks: { keys: [key.publicJwk] }, redirectUris: [registered] }],
    });
    const url = new URL(kit.authorizationUrl({ client_id: "app", redirect_uri: undefined }));
    const times = { iss: "app", aud: kit.issuer, exp: seconds(kit) + 60, nbf: seconds(kit) };
    const members = JSON.stringify({ ...Object.fromEntries(url.searchParams), ...times }).slice(
      1,
      -1,
    );
    const uris = [first, second].map((uri) => `"redirect_uri":${JSON.stringify(uri)}`);
    const text = `{${uris[0]},${members},${uris[1]}}`;
    const request = await new CompactSign(new TextEncoder().encode(text))
      .setProtectedHeader({ alg: "ES256" }).sign(key.privateKey);
    return await kit.get(`/oauth2/authorize?${new URLSearchParams({ client_id: "app", request })}`);
  }

  it("GHSA-m9hp-7r99-94h5: of a member that occurs twice, the checked one is the used one", async () => {
    const refused = await followRequest(registered, evil);
    assertEquals([refused.status, refused.headers.get("Location")], [400, null]);
    const followed = await followRequest(evil, registered);
    assertMatch(followed.headers.get("Location") ?? "", /^\/oauth2\/interaction\//);
  });
});
