import { assertEquals, assertMatch } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { describe } from "node:test";
import {
  assertion,
  assertionClaims,
  assertionType,
  type ClientKey,
  makeClientKey,
} from "../../support/client_key.ts";
import { makeProof, proofKey } from "../../support/dpop.ts";
import { itWith } from "../../support/it_with.ts";
import {
  claimsOf,
  type Fields,
  type Kit,
  openKit,
  read,
  type ReadResponse,
} from "../../support/kit.ts";
import { hasFeature } from "../../support/where_feature.ts";

const it = itWith({ withBank: () => openBank() });

const redirectUris = ["https://hallpass.test/authorized"];

interface Bank extends Kit {
  key: ClientKey;
  /** The fields by which the client proves who it is. */
  proof(): Promise<Fields>;
  push(changes?: Fields): Promise<ReadResponse>;
  /** A code that came of a pushed request. */
  pushedCode(): Promise<string>;
  redeemBound(code: string, changes?: Fields): Promise<ReadResponse>;
  bound(method: string, path: string, token?: string): Promise<Record<string, string>>;
}

/** A lab under the profile, with the one client that it fits. */
async function openBank(): Promise<Bank> {
  const key = await makeClientKey("ES256");
  const clients = [{
    id: "bank",
    jwks: { keys: [{ ...key.publicJwk, alg: "ES256" }] },
    redirectUris,
  }];
  const kit = openKit({ profile: "fapi-2.0", clients });
  const bank: Bank = {
    ...kit,
    key,
    proof: () => assertion(kit, "bank", key),
    async push(changes) {
      const asked = Object.fromEntries(
        new URL(kit.authorizationUrl({ client_id: "bank" })).searchParams,
      );
      return await read(
        await kit.post("/oauth2/par", { ...asked, ...await bank.proof(), ...changes }),
      );
    },
    async pushedCode() {
      const { request_uri } = (await bank.push()).body;
      const query = new URLSearchParams({ client_id: "bank", request_uri });
      const callback = await kit.browser().authorize(`${kit.issuer}/oauth2/authorize?${query}`);
      return new URL(callback).searchParams.get("code")!;
    },
    async redeemBound(code, changes) {
      const fields = { client_id: undefined, ...await bank.proof(), ...changes };
      return await kit.redeem(code, fields, await bank.bound("POST", "/oauth2/token"));
    },
    bound: async (method, path, token) => ({
      DPoP: await makeProof(await proofKey(), method, kit.issuer + path, {
        now: kit.clock.now,
        ...token !== undefined && { token },
      }),
    }),
  };
  return bank;
}

async function refresh(bank: Bank, refresh_token: string): Promise<ReadResponse> {
  const headers = await bank.bound("POST", "/oauth2/token");
  return await bank.token(
    { grant_type: "refresh_token", refresh_token, ...await bank.proof() },
    headers,
  );
}

describe("A flow under the profile fapi-2.0 (FAPI 2.0 Security Profile)", () => {
  it.withBank("happy-flow: pushed, proven by a key, bound to a key", async (bank) => {
    const { status, body } = await bank.redeemBound(await bank.pushedCode());
    assertEquals([status, body.token_type, claimsOf(body.access_token).cnf.jkt], [
      200,
      "DPoP",
      (await proofKey()).jkt,
    ]);
    const headers = {
      Authorization: `DPoP ${body.access_token}`,
      ...await bank.bound("GET", "/oauth2/userinfo", body.access_token),
    };
    assertEquals((await bank.get("/oauth2/userinfo", headers)).status, 200);
  });

  it.withBank("refresh-token: the same one goes on, with its key and no other", async (bank) => {
    const { refresh_token } = (await bank.redeemBound(await bank.pushedCode())).body;
    for (let time = 0; time < 2; time++) {
      const { status, body } = await refresh(bank, refresh_token);
      assertEquals([status, body.refresh_token], [200, undefined]);
    }
    assertEquals((await bank.refresh(refresh_token, await bank.proof())).status, 400);
  });

  it("discovery-end-point-verification: PAR is required, and only the algorithms of the profile are advertised", async () => {
    const { body } = await read(await (await openBank()).get("/.well-known/openid-configuration"));
    assertEquals(body.require_pushed_authorization_requests, true);
    assertEquals([
      body.response_types_supported,
      body.authorization_response_iss_parameter_supported,
    ], [["code"], true]);
    const told = Object.entries(body).filter(([name]) => name.includes("_alg_values_supported"));
    assertEquals(
      told.filter(([, algs]) =>
        (algs as string[]).some((alg) => !["PS256", "ES256", "EdDSA", "Ed25519"].includes(alg))
      ),
      [],
    );
  });

  it.withBank("publishes no RS256 key, and signs with none", async (bank) => {
    const { body } = await bank.redeemBound(await bank.pushedCode());
    const { keys } = await (await bank.get("/oauth2/jwks")).json();
    assertEquals(keys.filter(({ alg }: { alg: string }) => alg === "RS256"), []);
    for (const jwt of [body.access_token, body.id_token]) {
      assertMatch(JSON.stringify(decodeProtectedHeader(jwt)), /"alg":"ES256"/);
    }
  });

  it.withBank("ensure-unsigned-authorization-request-without-using-par-fails", async (bank) => {
    const callback = await bank.authorize({ client_id: "bank" });
    assertEquals(callback.get("error"), "invalid_request");
  });

  it("ensure-token-endpoint-fails-with-expired-auth-code: after 60 seconds", async () => {
    const bank = await openBank();
    const [early, late] = [await bank.pushedCode(), await bank.pushedCode()];
    bank.clock.advance(59);
    assertEquals((await bank.redeemBound(early)).status, 200);
    bank.clock.advance(2);
    assertEquals((await bank.redeemBound(late)).body.error, "invalid_grant");
  });

  it.withBank("ensure-holder-of-key-required: no tokens without a proof", async (bank) => {
    const { body } = await bank.redeem(await bank.pushedCode(), {
      client_id: undefined,
      ...await bank.proof(),
    });
    assertEquals(body.error, "invalid_dpop_proof");
  });

  const audiences: Array<[what: string, aud: (issuer: string) => string | string[]]> = [
    ["par-test-array-as-audience-fails", (issuer) => [issuer]],
    ["par-endpoint-url-as-audience-fails", (issuer) => `${issuer}/oauth2/par`],
    ["token-endpoint-url-as-audience-fails", (issuer) => `${issuer}/oauth2/token`],
  ];
  for (const [what, aud] of audiences) {
    it.withBank(`${what}: an assertion names the issuer, as a single text`, async (bank) => {
      const client_assertion = await bank.key.sign({
        ...assertionClaims(bank, "bank"),
        aud: aud(bank.issuer),
      });
      assertEquals((await bank.push({ client_assertion })).body.error, "invalid_client");
    });
  }

  it("ensure-signed-client-assertion-with-RS256-fails", async () => {
    const key = await makeClientKey("RS256");
    const kit = openKit({
      profile: "fapi-2.0",
      clients: [{ id: "bank", jwks: { keys: [key.publicJwk] }, redirectUris }],
    });
    const asked = Object.fromEntries(
      new URL(kit.authorizationUrl({ client_id: "bank" })).searchParams,
    );
    const client_assertion = await key.sign(assertionClaims(kit, "bank"));
    const { status, body } = await read(
      await kit.post("/oauth2/par", {
        ...asked,
        client_assertion_type: assertionType,
        client_assertion,
      }),
    );
    assertEquals([status, body.error], [401, "invalid_client"]);
  });

  if (hasFeature("registration")) {
    it.withBank("a client that registers must fit as well", async (bank) => {
      const headers = { "Content-Type": "application/json" };
      const body = JSON.stringify({
        redirect_uris: ["https://app.example/cb"],
        token_endpoint_auth_method: "none",
      });
      const response = await bank.request("/oauth2/register", { method: "POST", headers, body });
      assertEquals([response.status, (await response.json()).error], [
        400,
        "invalid_client_metadata",
      ]);
    });
  }

  if (hasFeature("registration")) {
    it.withBank("returns what the profile adds to a client that registers", async (bank) => {
      const metadata = {
        redirect_uris: redirectUris,
        token_endpoint_auth_method: "private_key_jwt",
        jwks: { keys: [bank.key.publicJwk] },
      };
      const headers = { "Content-Type": "application/json" };
      const { body } = await read(
        await bank.request("/oauth2/register", {
          method: "POST",
          headers,
          body: JSON.stringify(metadata),
        }),
      );
      assertEquals([body.dpop_bound_access_tokens, body.require_pushed_authorization_requests], [
        true,
        true,
      ]);
    });
  }
});
