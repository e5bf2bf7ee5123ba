import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe } from "node:test";
import type { ClientConfig, Config } from "../../src/server/features.ts";
import { makeProof, type ProofChanges, type ProofKey, proofKey } from "../support/dpop.ts";
import { itWith } from "../support/it_with.ts";
import {
  basic,
  claimsOf,
  type Fields,
  type Kit,
  openKit,
  read,
  service,
  spa,
  web,
} from "../support/kit.ts";
import { ask, itRefuses, type Play, redeeming, toRows } from "../support/refusals.ts";
import { hasFeature } from "../support/where_feature.ts";
import type { Tokens } from "../support/wire.ts";

const it = itWith({ withKit: () => openKit(), withNonces: () => openKit({ dpopNonces: true }) });

/** The header of a request that proves a key. */
async function dpop(
  kit: Kit,
  method: string,
  path: string,
  changes: ProofChanges & { key?: ProofKey } = {},
) {
  const proof = await makeProof(changes.key ?? await proofKey(), method, kit.issuer + path, {
    now: kit.clock.now,
    ...changes,
  });
  return { DPoP: proof };
}

const forToken = (kit: Kit, changes?: ProofChanges & { key?: ProofKey }) =>
  dpop(kit, "POST", "/oauth2/token", changes);

async function boundTokens(kit: Kit, changes?: Fields): Promise<Tokens> {
  return (await kit.redeem(await kit.code(changes), {}, await forToken(kit))).body;
}

async function userinfo(
  kit: Kit,
  scheme: string,
  token: string,
  changes: ProofChanges & { key?: ProofKey } = {},
) {
  const headers = await dpop(kit, "GET", "/oauth2/userinfo", { token, ...changes });
  return await read(
    await kit.get("/oauth2/userinfo", { Authorization: `${scheme} ${token}`, ...headers }),
  );
}

/** Calls userinfo with a bound token and a proof that has changes. */
function using(changes: ProofChanges & { key?: ProofKey }, scheme = "DPoP"): Play {
  return async (kit) => userinfo(kit, scheme, (await boundTokens(kit)).access_token, changes);
}

/** Redeems a code that is bound to a key, with another key or none. It is not burned. */
function redeemingBound(name?: string): Play {
  return async (kit) => {
    const code = await kit.code({ dpop_jkt: (await proofKey()).jkt });
    await kit.redeem(code, {}, await proofOf(kit, name));
    return async () => kit.redeem(code, {}, await forToken(kit));
  };
}

/** Uses a refresh token that is bound to a key, with another key or none. It is not burned. */
function refreshingBound(name?: string): Play {
  return async (kit) => {
    const { refresh_token } = await boundTokens(kit);
    await kit.refresh(refresh_token, {}, await proofOf(kit, name));
    return async () => kit.refresh(refresh_token, {}, await forToken(kit));
  };
}

async function proofOf(kit: Kit, name?: string): Promise<Record<string, string>> {
  return name === undefined ? {} : await forToken(kit, { key: await proofKey(name) });
}

/** Sends the token request of a client for itself, with a proof that has changes. */
async function askAlone(kit: Kit, changes?: Parameters<typeof forToken>[1]) {
  return await kit.token(grant, { ...service, ...await forToken(kit, changes) });
}

const grant = { grant_type: "client_credentials" };

function clientWhich(more: Partial<ClientConfig>): Partial<Config> {
  const scopes = ["openid", "profile", "read"];
  return { clients: [spa({ defaultScope: ["read"], scopes, ...more })] };
}

describe("DPoP at the token endpoint (RFC 9449, section 5)", () => {
  it.withKit("B08 T34 binds the tokens to the key of the proof", async (kit) => {
    const tokens = await boundTokens(kit);
    assertEquals(tokens.token_type, "DPoP");
    assertEquals(claimsOf(tokens.access_token).cnf, { jkt: (await proofKey()).jkt });
  });

  it("gives bearer tokens where no proof comes", async () => {
    const tokens = await openKit().tokens();
    assertEquals([tokens.token_type, claimsOf(tokens.access_token).cnf], ["Bearer", undefined]);
  });

  it.withKit("binds the token of a client that acts for itself", async (kit) => {
    const { body } = await askAlone(kit);
    assertEquals(body.token_type, "DPoP");
    assertEquals(claimsOf(body.access_token).cnf.jkt, (await proofKey()).jkt);
  });

  if (hasFeature("introspection")) {
    it("binds an opaque token, and shows it by introspection", async () => {
      const client = { accessTokenFormat: "opaque", introspect: "any", secret: "s" } as const;
      const kit = openKit(clientWhich(client));
      const headers = basic("demo-spa", "s");
      const proven = { ...headers, ...await forToken(kit) };
      const { body } = await kit.redeem(await kit.code(), { client_id: undefined }, proven);
      const shown = (await kit.introspect(body.access_token, {}, headers)).body;
      assertEquals([shown.active, shown.token_type], [true, "DPoP"]);
      assertEquals(shown.cnf, { jkt: (await proofKey()).jkt });
    });

    it.withKit("CVE-2024-49755: introspection shows the key of a bound token", async (kit) => {
      const { access_token } = await boundTokens(kit);
      const { body } = await kit.introspect(access_token, {}, service);
      assertEquals([body.token_type, body.cnf], ["DPoP", { jkt: (await proofKey()).jkt }]);
    });
  }

  itRefuses({
    "a proof for another address, even with a matching Host header": ["dpop.htu", async (kit) => {
      const DPoP = await makeProof(await proofKey(), "POST", "https://evil.example/oauth2/token");
      return redeeming({}, { DPoP, Host: "evil.example" })(kit);
    }],
    "what is no proof": ["dpop.jwt", redeeming({}, { DPoP: "x" })],
    "ensure-holder-of-key-required: a client whose tokens must be bound, without a proof": [
      "dpop.required",
      {
        settings: clientWhich({ dpop: "required" }),
        async play(kit) {
          const code = await kit.code();
          await kit.redeem(code);
          return async () => kit.redeem(code, {}, await forToken(kit));
        },
      },
    ],
  });

  it.withKit("refuses two DPoP headers", async (kit) => {
    const type = "application/x-www-form-urlencoded";
    const headers = new Headers({ ...service, "Content-Type": type });
    for (const _ of [1, 2]) headers.append("DPoP", (await forToken(kit)).DPoP);
    const init = { method: "POST", headers, body: "grant_type=client_credentials" };
    const request = new Request(`${kit.issuer}/oauth2/token`, init);
    assertEquals((await read(await kit.server.fetch(request))).body.error, "invalid_dpop_proof");
  });

  it.withKit("takes a proof once, for as long as it could be sent", async (kit) => {
    const proof = await forToken(kit, { claims: { iat: kit.clock.now / 1000 + 60 } });
    const headers = { ...service, ...proof };
    const statuses = [];
    for (const seconds of [0, 0, 119, 2]) {
      kit.clock.advance(seconds);
      statuses.push((await kit.token(grant, headers)).status);
    }
    assertEquals(statuses, [200, 400, 400, 400]);
  });

  it.withKit("takes one of two proofs that arrive at once with the same jti", async (kit) => {
    const send = async () => (await askAlone(kit, { claims: { jti: "once" } })).status;
    assertEquals((await Promise.all([send(), send(), send()])).toSorted(), [200, 400, 400]);
  });

  it("advertises its algorithms, and accepts no others", async () => {
    const dpopAlgs = ["ES256", "PS256", "EdDSA"] as const;
    const kit = openKit({ dpopAlgs: [...dpopAlgs] });
    const { dpop_signing_alg_values_supported } = kit.server.context.metadata();
    assertEquals<unknown>(dpop_signing_alg_values_supported, dpopAlgs);
    const { body } = await askAlone(kit, { key: await proofKey("RS256") });
    assertEquals(body.error, "invalid_dpop_proof");
  });
});

describe("A refresh token and a key (RFC 9449, section 5)", () => {
  itRefuses({
    "that of a public client, without its key": ["refresh_token.key", refreshingBound()],
    "that of a public client, with another key": [
      "refresh_token.key",
      refreshingBound("ES256 another"),
    ],
  });

  it.withKit("stays bound through every rotation", async (kit) => {
    const first = await boundTokens(kit);
    const second = (await kit.refresh(first.refresh_token, {}, await forToken(kit))).body;
    assertEquals((await kit.refresh(second.refresh_token)).body.error, "invalid_grant");
    assertEquals((await kit.refresh(second.refresh_token, {}, await forToken(kit))).status, 200);
  });

  it.withKit("becomes bound when it is first used with a proof", async (kit) => {
    const { refresh_token } = await kit.tokens();
    const next = (await kit.refresh(refresh_token, {}, await forToken(kit))).body;
    assertEquals((await kit.refresh(next.refresh_token)).body.error, "invalid_grant");
  });

  it("does not bind that of a confidential client, which may change its key", async () => {
    const kit = openKit();
    const code = await kit.code({ client_id: "demo-web" });
    const proven = async (key?: ProofKey) => ({
      ...web,
      ...await forToken(kit, key ? { key } : {}),
    });
    const first = await kit.redeem(code, { client_id: undefined }, await proven());
    const another = await proofKey("ES256 another");
    const { body } = await kit.refresh(first.body.refresh_token, {}, await proven(another));
    assertEquals(claimsOf(body.access_token).cnf.jkt, another.jkt);
  });

  it("need not be rotated when it is bound (OAuth 2.1, section 4.3.1)", async () => {
    const kit = openKit({ refreshTokens: "keep" });
    const { refresh_token } = await boundTokens(kit);
    const { body } = await kit.refresh(refresh_token, {}, await forToken(kit));
    assertEquals(body.refresh_token, undefined);
    assertEquals((await kit.refresh(refresh_token, {}, await forToken(kit))).status, 200);
  });

  it("knows no grace when it is bound", async () => {
    const kit = openKit({ refreshReuseGrace: "10s" });
    const { refresh_token } = await boundTokens(kit);
    assertEquals((await kit.refresh(refresh_token, {}, await forToken(kit))).status, 200);
    const again = await kit.refresh(refresh_token, {}, await forToken(kit));
    assertEquals(again.body.error, "invalid_grant");
  });
});

describe("A code and a key (RFC 9449, section 10)", () => {
  it.withKit("A29 ensure-dpop-auth-code-binding-success: the key that dpop_jkt named redeems it", async (kit) => {
    const code = await kit.code({ dpop_jkt: (await proofKey()).jkt });
    assertEquals((await kit.redeem(code, {}, await forToken(kit))).body.token_type, "DPoP");
  });

  describe("ensure-token-endpoint-fails-with-mismatched-dpop-jkt", () => {
    itRefuses({
      "another key": ["code.key", redeemingBound("ES256 another"), "of the code. Received: "],
      "no key": ["code.key", redeemingBound(), "of the code. Received: none"],
    });
  });

  itRefuses({ "a dpop_jkt that is no thumbprint": ["dpop_jkt.form", ask({ dpop_jkt: "x" })] });
});

describe("DPoP at userinfo (RFC 9449, section 7)", () => {
  it.withKit("takes a bound token with its proof, under the scheme in any letters", async (kit) => {
    const { access_token } = await boundTokens(kit);
    for (const scheme of ["DPoP", "dPoP", "DPOP"]) {
      const { status, body } = await userinfo(kit, scheme, access_token);
      assertEquals([status, body.sub], [200, "alice"]);
    }
  });

  it.withKit("CVE-2024-49755: refuses a bound token without a proof", async (kit) => {
    const { access_token } = await boundTokens(kit);
    const { status, headers, body } = await kit.userinfo(access_token, "DPoP");
    assertEquals([status, body.error], [401, "invalid_dpop_proof"]);
    assertMatch(
      headers.get("WWW-Authenticate")!,
      /^DPoP realm=.*algs="ES256 .*error="invalid_dpop_proof".*, Bearer realm="[^"]*"$/,
    );
  });

  const proofs: Record<string, [rule: string, changes: ProofChanges]> = {
    "without 'ath'": ["dpop.ath", { claims: { ath: undefined } }],
    "with the 'ath' of another token": ["dpop.ath", { token: "another" }],
    "for the token endpoint": ["dpop.htu", {
      claims: { htu: "https://hallpass.test/oauth2/token" },
    }],
    "for another method": ["dpop.htm", { claims: { htm: "POST" } }],
    "from an hour ago": ["dpop.fresh", { now: Date.UTC(2025, 11, 31, 23) }],
  };
  describe("dpop-negative-tests: refuses a proof", () => {
    itRefuses({
      ...toRows(proofs, ([rule, changes]) => [rule, using(changes)]),
      "of another key": [
        "dpop.token_key",
        async (kit) => using({ key: await proofKey("ES256 another") })(kit),
      ],
    }, { status: 401 });
  });

  describe("refuses", () => {
    itRefuses({
      "CVE-2024-49755: a bound token as a bearer token": ["token.downgrade", using({}, "Bearer")],
      "CVE-2024-49755: a bound token as a bearer token, without a proof": [
        "token.downgrade",
        async (kit) => kit.userinfo((await boundTokens(kit)).access_token),
      ],
      "CVE-2024-49755: a bound token as a bearer token in the body": [
        "token.downgrade",
        async (kit) => {
          const { access_token } = await boundTokens(kit);
          return kit.post("/oauth2/userinfo", { access_token });
        },
      ],
      "an unbound token under DPoP": [
        "token.unbound",
        async (kit) => userinfo(kit, "DPoP", (await kit.tokens()).access_token),
      ],
    });
  });

  it.withKit("dpop-negative-tests: takes a proof once", async (kit) => {
    const { access_token } = await boundTokens(kit);
    const headers = {
      Authorization: `DPoP ${access_token}`,
      ...await dpop(kit, "GET", "/oauth2/userinfo", { token: access_token }),
    };
    assertEquals((await kit.get("/oauth2/userinfo", headers)).status, 200);
    assertEquals((await kit.get("/oauth2/userinfo", headers)).status, 401);
  });

  it("R03 names both schemes if there is no token", async () => {
    const challenge = (await openKit().get("/oauth2/userinfo")).headers.get("WWW-Authenticate")!;
    assertMatch(
      challenge,
      /^Bearer realm="[^"]*", DPoP realm="[^"]*", algs="ES256 PS256 EdDSA Ed25519 RS256"$/,
    );
  });
});

describe("Nonces for DPoP proofs (RFC 9449, section 8)", () => {
  async function firstNonce(kit: Kit): Promise<string> {
    const { status, body, headers } = await askAlone(kit);
    assertEquals(status, 400);
    assertEquals(body.error, "use_dpop_nonce");
    assertEquals(headers.get("Access-Control-Expose-Headers")?.includes("DPoP-Nonce"), true);
    return headers.get("DPoP-Nonce")!;
  }

  it.withNonces("asks for one, and takes it", async (kit) => {
    const nonce = await firstNonce(kit);
    const { status, headers } = await askAlone(kit, { claims: { nonce } });
    assertEquals([status, headers.get("DPoP-Nonce")], [200, nonce]);
  });

  it.withNonces("takes one of the window before, and none that is older", async (kit) => {
    const nonce = await firstNonce(kit);
    kit.clock.advance(60);
    const { status, headers } = await askAlone(kit, { claims: { nonce } });
    assertEquals(status, 200);
    assertNotEquals(headers.get("DPoP-Nonce"), nonce);
    kit.clock.advance(60);
    const { body } = await askAlone(kit, { claims: { nonce } });
    assertEquals(body.error, "use_dpop_nonce");
  });

  it("takes none that another server made", async () => {
    const nonce = await firstNonce(openKit({ dpopNonces: true }));
    const kit = openKit({ dpopNonces: true });
    const { body } = await askAlone(kit, { claims: { nonce } });
    assertEquals(body.error, "use_dpop_nonce");
  });

  it.withNonces("asks at userinfo with 401 and a challenge", async (kit) => {
    const nonce = await firstNonce(kit);
    const proof = await forToken(kit, { claims: { nonce } });
    const { access_token } = (await kit.redeem(await kit.code(), {}, proof)).body;
    const { status, headers } = await userinfo(kit, "DPoP", access_token);
    assertEquals([status, headers.get("DPoP-Nonce")], [401, nonce]);
    assertMatch(headers.get("WWW-Authenticate")!, /DPoP .*error="use_dpop_nonce"/);
    assertEquals((await userinfo(kit, "DPoP", access_token, { claims: { nonce } })).status, 200);
  });

  it.withKit("requires none unless it is configured", async (kit) => {
    const { status, headers } = await askAlone(kit);
    assert(status === 200 && !headers.has("DPoP-Nonce"));
  });
});
