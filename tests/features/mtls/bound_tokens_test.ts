import { assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { ClientConfig } from "../../../src/server/features.ts";
import {
  idJagTokenType,
  tokenExchangeGrantType,
} from "../../../src/server/protocol/grant_types.ts";
import { sha256OfBytes } from "../../../src/server/util/crypto/hash.ts";
import { answerDevice, beginDevice, deviceGrant, pollDevice } from "../../support/device.ts";
import { makeProof, proofKey } from "../../support/dpop.ts";
import { basic, claimsOf, type Kit, openLabKit, seesTokens } from "../../support/kit.ts";
import { itRefuses } from "../../support/refusals.ts";
import { needs } from "../../support/where_feature.ts";
import { bound, openMtls, redeemFor, redirectUri } from "./mtls_kit.ts";
import { derOf } from "./read_certificates.ts";
import { mtlsRuleRows } from "./rule_rows.ts";

const secret = "a-secret-of-32-letters-and-digits";
const web: ClientConfig = { ...bound, id: "web", secret };

const introspects = needs("introspection");

const api: ClientConfig = { id: "api", secret, ...seesTokens };

type Confirmed = { cnf?: Record<string, string> };

async function thumbprint(name: "plain" | "forged"): Promise<string> {
  return await sha256OfBytes(derOf(name));
}

/** Signs in, and returns the tokens of a public client whose tokens are bound. */
async function boundTokens(changes = {}) {
  const kit = openMtls([{ ...bound, ...changes }, api], ["plain"]);
  const { access_token, refresh_token, token_type } = (await redeemFor(kit, "bound")).body;
  return { kit, access_token, refresh_token, token_type };
}

describe("Tokens that are bound to a certificate (RFC 8705, section 3)", () => {
  for (const accessTokenFormat of ["jwt", "opaque"] as const) {
    it(`M05: name its hash in 'cnf', if ${accessTokenFormat}`, introspects, async () => {
      const { kit, access_token, token_type } = await boundTokens({ accessTokenFormat });
      const { body } = await kit.introspect(access_token, {}, basic("api", secret));
      const cnf = { "x5t#S256": await thumbprint("plain") };
      assertEquals(token_type, "Bearer");
      assertEquals(body.active, true);
      assertEquals(body.token_type, "Bearer");
      assertEquals<unknown>(body.cnf, cnf);
      if (accessTokenFormat === "jwt") assertEquals(claimsOf<Confirmed>(access_token).cnf, cnf);
    });

    it(`M05: open userinfo with that certificate alone, if ${accessTokenFormat}`, async () => {
      const { kit, access_token } = await boundTokens({ accessTokenFormat });
      assertEquals((await kit.userinfo(access_token)).status, 200);
      for (const others of [undefined, [], [derOf("forged")], [derOf("forged"), derOf("plain")]]) {
        kit.certificates = others;
        const { status, headers } = await kit.userinfo(access_token);
        assertEquals(status, 401);
        assertEquals(headers.get("WWW-Authenticate")?.includes("invalid_token"), true);
      }
    });
  }

  it("M05: are bound for a client that authenticates otherwise, too", async () => {
    const kit = openMtls([web], ["plain"]);
    const toClient = { client_id: "web", redirect_uri: redirectUri };
    const asWeb = basic("web", secret);
    const { access_token, refresh_token } =
      (await kit.redeem(await kit.code(toClient), { redirect_uri: redirectUri }, asWeb)).body;
    const { cnf } = claimsOf<Confirmed>(access_token);
    assertEquals(cnf, { "x5t#S256": await thumbprint("plain") });
    // The client authenticates, so its certificate may change.
    kit.certificates = [derOf("forged")];
    const { body } = await kit.refresh(refresh_token, {}, asWeb);
    const changed = { "x5t#S256": await thumbprint("forged") };
    assertEquals(claimsOf<Confirmed>(body.access_token).cnf, changed);
  });

  it("M05: are not bound unless the client asks for it", async () => {
    const kit = openMtls([{ ...bound, certificateBoundTokens: false }], ["plain"]);
    const { access_token } = (await redeemFor(kit, "bound")).body;
    assertEquals(claimsOf<Confirmed>(access_token).cnf, undefined);
  });

  it("M05: are bound to a key of DPoP beside it, and need both", async () => {
    const kit = openMtls([bound], ["plain"]);
    const key = await proofKey();
    const prove = (method: string, path: string, token?: string) =>
      makeProof(key, method, kit.issuer + path, { now: kit.clock.now, ...token && { token } });
    const toClient = { client_id: "bound", redirect_uri: redirectUri };
    const DPoP = await prove("POST", "/oauth2/token");
    const { access_token, token_type } =
      (await kit.redeem(await kit.code(toClient), toClient, { DPoP })).body;
    const cnf = { jkt: key.jkt, "x5t#S256": await thumbprint("plain") };
    assertEquals([token_type, claimsOf<Confirmed>(access_token).cnf], ["DPoP", cnf]);
    const path = "/oauth2/userinfo";
    const ask = async (scheme: string) => {
      const proof = await prove("GET", path, access_token);
      const headers = { Authorization: `${scheme} ${access_token}`, DPoP: proof };
      return (await kit.get(path, headers)).status;
    };
    assertEquals([await ask("DPoP"), await ask("Bearer")], [200, 401]);
    kit.certificates = [];
    assertEquals(await ask("DPoP"), 401);
  });

  it("M05: are issued by the device grant", needs("device flow"), async () => {
    const client = { id: "bound", grantTypes: [deviceGrant], certificateBoundTokens: true };
    const kit = openMtls([client], ["plain"]);
    const asked = { client_id: "bound" };
    const { body: device } = await beginDevice(kit, asked);
    await answerDevice(kit, device.user_code);
    kit.certificates = [];
    assertEquals((await pollDevice(kit, device.device_code, asked)).body.error, "invalid_request");
    kit.certificates = [derOf("plain")];
    const { body } = await pollDevice(kit, device.device_code, asked);
    const cnf = { "x5t#S256": await thumbprint("plain") };
    assertEquals(claimsOf<Confirmed>(body.access_token).cnf, cnf);
  });

  it("M07: take a proof whose 'htu' is an alias", async () => {
    const url = "https://mtls.hallpass.test";
    const kit = openMtls([{ ...bound, certificateBoundTokens: false }], ["plain"], {
      mtls: { url },
    });
    const proof = (origin: string) =>
      proofKey().then((key) =>
        makeProof(key, "POST", `${origin}/oauth2/token`, { now: kit.clock.now })
      );
    const toClient = { client_id: "bound", redirect_uri: redirectUri };
    const statusWith = async (origin: string) =>
      (await kit.redeem(await kit.code(toClient), toClient, { DPoP: await proof(origin) })).status;
    assertEquals([await statusWith(url), await statusWith("https://other.example")], [200, 400]);
  });

  itRefuses(
    Object.fromEntries(
      Object.entries(mtlsRuleRows.rows).map((
        [id, row],
      ) => [`M05: is required by ${id}`, [id, row]]),
    ) as never,
  );
});

const exchanges = needs("token exchange");

describe("A refresh token of a public client (RFC 8705, section 4)", () => {
  const refreshed = async (kit: Kit, token: string) =>
    await kit.refresh(token, { client_id: "bound" });

  it("M06: needs the certificate of its first use, also after it was rotated", async () => {
    const { kit, refresh_token } = await boundTokens();
    const { body } = await refreshed(kit, refresh_token);
    assertNotEquals(body.refresh_token, refresh_token);
    kit.certificates = [derOf("forged")];
    assertEquals((await refreshed(kit, body.refresh_token)).body.error, "invalid_grant");
    kit.certificates = [derOf("plain")];
    assertEquals((await refreshed(kit, body.refresh_token)).status, 200);
  });

  it("M06: needs it, too, after the client no longer asks for bound tokens", async () => {
    const { kit, refresh_token } = await boundTokens();
    const [client = {}] = await kit.server.context.settings.clients.all();
    Object.assign(client, { certificateBoundTokens: false });
    kit.certificates = [];
    assertEquals((await refreshed(kit, refresh_token)).body.error, "invalid_grant");
  });

  it("M06: needs it, too, after a rotation of a client that no longer asks for it", async () => {
    const { kit, refresh_token } = await boundTokens();
    const [client = {}] = await kit.server.context.settings.clients.all();
    Object.assign(client, { certificateBoundTokens: false });
    const { body } = await refreshed(kit, refresh_token);
    kit.certificates = [];
    assertEquals((await refreshed(kit, body.refresh_token)).body.error, "invalid_grant");
    kit.certificates = [derOf("plain")];
    assertEquals((await refreshed(kit, body.refresh_token)).status, 200);
  });

  it("M06: is exchanged with it alone, once its client authenticates", exchanges, async () => {
    const kit = openLabKit({ mtls: {}, clients: [{ ...bound, id: "gateway" }] });
    kit.certificates = [derOf("plain")];
    const { refresh_token } = (await redeemFor(kit, "gateway")).body;
    const audience = "https://chat.example";
    kit.lab.clients.put({
      ...{ ...bound, id: "gateway", secret, certificateBoundTokens: false },
      grantTypes: ["authorization_code", "refresh_token", tokenExchangeGrantType],
      idJag: [{ audience, clientId: "gateway", scopes: ["chat.read"] }],
    });
    const exchange = () =>
      kit.token({
        grant_type: tokenExchangeGrantType,
        requested_token_type: idJagTokenType,
        subject_token: refresh_token,
        subject_token_type: "urn:ietf:params:oauth:token-type:refresh_token",
        audience,
      }, basic("gateway", secret));
    assertEquals((await exchange()).status, 200);
    kit.certificates = [derOf("forged")];
    assertEquals((await exchange()).body.error, "invalid_request");
  });

  it("M06: is kept where bound ones are, and has no time in which it can be repeated", async () => {
    const kit = openMtls([bound], ["plain"], { refreshTokens: "keep" });
    const { refresh_token } = (await redeemFor(kit, "bound")).body;
    assertEquals((await refreshed(kit, refresh_token)).body.refresh_token, undefined);
    const rotating = openMtls([bound], ["plain"], { refreshReuseGrace: "1m" });
    const { refresh_token: used } = (await redeemFor(rotating, "bound")).body;
    await refreshed(rotating, used);
    assertEquals((await refreshed(rotating, used)).body.error, "invalid_grant");
  });
});

describe("A token that is bound to a certificate, at an endpoint that revokes", () => {
  it("M05: is revoked without its certificate", needs("revocation"), async () => {
    const { kit, access_token } = await boundTokens();
    kit.certificates = [];
    assertEquals((await kit.revoke(access_token, { client_id: "bound" })).status, 200);
    kit.certificates = [derOf("plain")];
    assertEquals((await kit.userinfo(access_token)).status, 401);
  });
});
