import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import { describe } from "node:test";
import { hallpass, type HallpassOptions } from "../../../../src/lab/testing/mod.ts";
import { ConfigError } from "../../../../src/server/mod.ts";
import { deviceCodeGrantType } from "../../../../src/server/protocol/grant_types.ts";
import { makeClientKey } from "../../../support/client_key.ts";
import { itWith } from "../../../support/it_with.ts";
import { authorizeAsAlice as authorize, client } from "../../../support/nonce_client.ts";
import { registerAt } from "../../../support/registration.ts";
import { assertFindings, assertLeniency, assertReport } from "../../../support/reported.ts";

const it = itWith({
  inLab: () => hallpass(),
  withResponseTypes: () => hallpass({ responseTypes }),
});

const errorMembers = ["error", "error_description", "error_uri", "state", "iss"];

const responseTypes: HallpassOptions["responseTypes"] = ["code", "id_token", "code id_token"];

describe("Response types of a lab", () => {
  const noChallenge = { code_challenge: undefined, code_challenge_method: undefined };

  it.inLab("are code alone, and the metadata says so", async (lab) => {
    for (const response_type of ["id_token", "code id_token", "token", "id_token token"]) {
      const { parameters } = await authorize(lab, { response_type, response_mode: "form_post" });
      assertEquals(parameters.error, "unsupported_response_type");
    }
    assertEquals((await client.metadata(lab)).response_types_supported, ["code"]);
  });

  it.withResponseTypes("are advertised while they are on", async (lab) => {
    for (const name of ["openid-configuration", "oauth-authorization-server"]) {
      const metadata = await (await lab.fetch(`${lab.issuer}/.well-known/${name}`)).json();
      assertEquals(metadata.response_types_supported, responseTypes);
    }
  });

  it.withResponseTypes("id_token: sends an ID token with the nonce by form_post, without PKCE and a code", async (lab) => {
    const { parameters, nonce } = await authorize(lab, {
      response_type: "id_token",
      response_mode: "form_post",
      ...noChallenge,
    });
    assertEquals(Object.keys(parameters).sort(), ["id_token", "iss", "state"]);
    const claims = decodeJwt(parameters.id_token ?? "");
    assertEquals([claims.sub, claims.aud, claims.nonce], ["alice", "demo-spa", nonce]);
    assertEquals([claims.at_hash, claims.c_hash], [undefined, undefined]);
    assertFindings(lab, ["front-channel-id-token"]);
    assertReport(lab, {
      clean: true,
      leniencies: ["responseTypes: id_token", "responseTypes: code id_token"],
    });
  });

  for (const response_type of ["code id_token", "id_token code"]) {
    it(`A10 ${response_type}: sends both, bound by c_hash; the code is redeemed once`, async () => {
      await using lab = await hallpass({ responseTypes });
      const { parameters, nonce } = await authorize(lab, {
        response_type,
        response_mode: "form_post",
      });
      const { code = "", id_token = "" } = parameters;
      const hash = new Uint8Array(
        await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code)),
      );
      const expected = btoa(String.fromCharCode(...hash.slice(0, 16)))
        .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
      const claims = decodeJwt(id_token);
      assertEquals([claims.c_hash, claims.nonce, claims.at_hash], [expected, nonce, undefined]);
      const { body } = await client.redeem(lab, code);
      assertEquals(decodeJwt(body.id_token).sub, claims.sub);
    });
  }

  const refused: Array<[what: string, changes: Record<string, string | undefined>, RegExp]> = [
    ["by query", { response_mode: "query" }, /form_post/],
    ["without a response_mode", {}, /form_post/],
    ["without a nonce", { response_mode: "form_post", nonce: undefined }, /nonce/],
    ["without openid", { response_mode: "form_post", scope: "read" }, /openid/],
  ];
  for (const [what, changes, message] of refused) {
    it.withResponseTypes(`are refused ${what}`, async (lab) => {
      const request = { response_type: "id_token", ...changes };
      const { parameters } = await authorize(lab, request);
      assertEquals([parameters.error, parameters.id_token], ["invalid_request", undefined]);
      assertMatch(parameters.error_description ?? "", message);
    });
  }

  for (const response_type of ["token", "id_token token", "code token", "code id_token token"]) {
    it.withResponseTypes(`A09 never issue an access token: ${response_type}`, async (lab) => {
      const { parameters } = await authorize(lab, { response_type, response_mode: "form_post" });
      assertEquals(parameters.error, "unsupported_response_type");
      await assertRejects(
        () => hallpass({ responseTypes: [response_type] as never }),
        ConfigError,
        "responseTypes[0] must be one of: code, id_token, code id_token",
      );
    });
  }

  it("are refused in a signed request object, which the lab cannot change", async () => {
    const key = await makeClientKey("ES256");
    const redirectUris = ["https://app.example/cb"];
    const app = { id: "app", jwks: { keys: [key.publicJwk] }, redirectUris };
    await using lab = await hallpass({
      responseTypes,
      clients: [{ ...app, authentication: ["none"] }],
    });
    const now = Math.floor(Date.now() / 1000);
    const plain = {
      client_id: "app",
      response_type: "id_token",
      redirect_uri: redirectUris[0] ?? "",
    };
    const request = await key.sign({
      ...plain,
      ...{ response_mode: "form_post", scope: "openid", nonce: "n" },
      ...{ iss: "app", aud: lab.issuer, nbf: now, iat: now, exp: now + 300 },
    });
    const signed = { ...plain, scope: "openid", request };
    const body = new URLSearchParams(signed);
    const { parameters } = await lab.authorize(`${lab.issuer}/oauth2/authorize?${body}`);
    assertEquals(parameters.error, "unsupported_response_type");
    assertMatch(parameters.error_description ?? "", /not if it is in a signed request object/);
    const pushed = await client.sendForm(lab, "/oauth2/par", signed);
    assertMatch(pushed.body.error_description, /not if it is in a signed request object/);
  });

  for (const response_mode of ["fragment", undefined]) {
    it(`are sent in the fragment by a leniency, with the response_mode ${response_mode}`, async () => {
      await using lab = await hallpass({ responseTypes: [...responseTypes, "fragment"] });
      const response_type = "code id_token";
      const request = { response_type, response_mode };
      const { parameters, callback, nonce } = await authorize(lab, request);
      assertEquals(decodeJwt(parameters.id_token ?? "").nonce, nonce);
      assertEquals((await client.redeem(lab, parameters.code ?? "")).status, 200);
      assertMatch(callback, /\/authorized#/);
      assertEquals((await client.metadata(lab)).response_types_supported, responseTypes);
      assertLeniency(lab, "responseTypes: fragment");
      const query = await authorize(lab, { response_type, response_mode: "query" });
      assertMatch(query.parameters.error_description ?? "", /'form_post' or 'fragment' only/);
    });
  }

  const untranslated: Record<string, Record<string, string | undefined>> = {
    "without a nonce": { nonce: undefined },
    "without openid": { scope: "read" },
    "with a request object": { request: "x.y.z" },
    "for an access token": { response_type: "id_token token" },
    "with a scope that does not exist": { scope: "openid nothing" },
  };
  for (const [what, changes] of Object.entries(untranslated)) {
    for (const response_mode of ["fragment", undefined]) {
      it(`are refused in the fragment as a whole ${what}, with the response_mode ${response_mode}`, async () => {
        await using lab = await hallpass({ responseTypes: [...responseTypes, "fragment"] });
        const request = { response_type: "code id_token", response_mode, ...changes };
        const { callback, parameters } = await authorize(lab, request);
        assertMatch(callback, /\/authorized#[^?]*error=/);
        assertEquals(Object.keys(parameters).filter((name) => !errorMembers.includes(name)), []);
      });
    }
  }

  it("are refused with fragment alone, which needs an ID token", async () => {
    await assertRejects(
      () => hallpass({ responseTypes: ["code", "fragment"] }),
      ConfigError,
      "contains 'fragment', which needs 'id_token' or 'code id_token'",
    );
  });

  it.withResponseTypes("keep PKCE for a code", async (lab) => {
    const request = { response_type: "code id_token", response_mode: "form_post" };
    const { parameters } = await authorize(lab, { ...request, ...noChallenge });
    assertMatch(parameters.error_description ?? "", /PKCE is required/);
  });

  it("work with hands-free sign-in and with pushed requests", async () => {
    await using lab = await hallpass({ responseTypes, signIn: "bob" });
    const fields = {
      response_type: "id_token",
      client_id: "demo-spa",
      redirect_uri: `${lab.issuer}/authorized`,
      scope: "openid",
      nonce: "n1",
      response_mode: "form_post",
    };
    const { request_uri } = (await client.sendForm(lab, "/oauth2/par", fields)).body;
    const query = new URLSearchParams({ client_id: "demo-spa", request_uri });
    const { parameters } = await lab.authorize(`${lab.issuer}/oauth2/authorize?${query}`);
    assertEquals(decodeJwt(parameters.id_token ?? "").sub, "bob");
  });

  it.withResponseTypes("U2: leave a client without redirect URIs as it registered", async (lab) => {
    const metadata = { grant_types: [deviceCodeGrantType], response_types: [] };
    const { status, body: { grant_types, response_types } } = await registerAt(lab, metadata);
    assertEquals([status, { grant_types, response_types }], [201, metadata]);
  });

  it("can be registered by a client, which then gets an ID token", async () => {
    await using lab = await hallpass({ responseTypes });
    const redirect_uri = "https://app.example/cb";
    const { client_id } = (await registerAt(lab, {
      redirect_uris: [redirect_uri],
      response_types: ["id_token"],
      grant_types: ["implicit"],
    })).body;
    const { parameters } = await authorize(lab, {
      client_id,
      redirect_uri,
      response_type: "id_token",
      response_mode: "form_post",
      ...noChallenge,
    });
    assertEquals(decodeJwt(parameters.id_token ?? "").aud, client_id);
  });
});
