import { assert, assertEquals, assertRejects } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, it } from "node:test";
import { type FaultName, hallpass } from "../../../../src/lab/testing/mod.ts";
import { createDeferred } from "../../../../src/server/util/time/promises.ts";
import { testClient } from "../../../support/test_client.ts";
import { needs } from "../../../support/where_feature.ts";
import { headerOf, idTokenOf, makeEncryptedClient } from "../jwe/encrypted_client.ts";
import { endLabSession } from "./end_lab_session.ts";

const ec = await makeEncryptedClient("ECDH-ES+A256KW");
const rsa = await makeEncryptedClient("RSA-OAEP-256");

describe("A fault in how an ID token is encrypted", () => {
  const headers: Array<[fault: FaultName, client: typeof ec, header: Record<string, string>]> = [
    ["id_token.wrong_encryption_alg", ec, { alg: "ECDH-ES+A128KW", enc: "A256GCM", cty: "JWT" }],
    ["id_token.wrong_encryption_alg", rsa, { alg: "RSA-OAEP", enc: "A256GCM", cty: "JWT" }],
    ["id_token.wrong_encryption_enc", ec, { alg: "ECDH-ES+A256KW", enc: "A128GCM", cty: "JWT" }],
    ["id_token.encrypted_unsigned", rsa, { alg: "RSA-OAEP-256", enc: "A256GCM" }],
    ["id_token.compressed", rsa, { alg: "RSA-OAEP-256", enc: "A256GCM", cty: "JWT", zip: "DEF" }],
  ];
  for (const [fault, each, header] of headers) {
    it(`is only in that: ${fault} for ${header.alg}`, async () => {
      await using lab = await hallpass(each.options);
      using added = lab.fault(fault);
      const jwe = await idTokenOf(lab, each);
      const { epk: _, ...found } = headerOf(jwe);
      assertEquals(found, { ...header, kid: "enc" });
      const text = await each.open(jwe, false);
      const claims = text.startsWith("{") ? JSON.parse(text) : decodeJwt(text);
      assertEquals([claims.iss, claims.aud, added.fired], [lab.issuer, "app", 1]);
      assertEquals(text.startsWith("{"), fault === "id_token.encrypted_unsigned");
    });
  }

  for (const each of [ec, rsa]) {
    it("is another key under the same kid", async () => {
      await using lab = await hallpass(each.options);
      const { kid, alg } = headerOf(await idTokenOf(lab, each));
      using _ = lab.fault("id_token.encrypted_for_other_key");
      const jwe = await idTokenOf(lab, each);
      assertEquals([headerOf(jwe).kid, headerOf(jwe).alg], [kid, alg]);
      await assertRejects(() => each.open(jwe));
    });
  }

  it("is that it is not encrypted", async () => {
    await using lab = await hallpass(ec.options);
    using _ = lab.fault("id_token.unencrypted");
    assertEquals(decodeJwt(await idTokenOf(lab, ec)).aud, "app");
  });

  it("never fires for a client that registered for none", async () => {
    await using lab = await hallpass();
    using fault = lab.fault("id_token.unencrypted");
    const { id_token } = await testClient().tokens(lab);
    assertEquals([decodeJwt(id_token).aud, fault.fired], ["demo-spa", 0]);
  });
});

describe("A fault in how another response is encrypted", () => {
  const [app] = ec.options.clients ?? [];
  const options = { clients: [{ ...app, id: "app", userinfoAlg: "RS256" as const }] };

  for (const fault of ["userinfo.unencrypted", "userinfo.encrypted_unsigned"] as const) {
    it(`is in userinfo: ${fault}`, async () => {
      await using lab = await hallpass(options);
      using added = lab.fault(fault);
      const { code = "" } = (await ec.client.authorize(lab)).parameters;
      const { access_token } = (await ec.client.redeem(lab, code)).body;
      const { text } = await ec.client.userinfo(lab, access_token);
      const isSigned = fault === "userinfo.unencrypted";
      const claims = isSigned ? decodeJwt(text) : JSON.parse(await ec.open(text, false));
      assertEquals([claims.sub, claims.aud, added.fired], ["alice", "app", 1]);
    });
  }

  for (const fault of ["jarm.unencrypted", "jarm.encrypted_unsigned"] as const) {
    it(`is in an authorization response: ${fault}`, async () => {
      await using lab = await hallpass(options);
      using added = lab.fault(fault);
      const { parameters } = await ec.client.authorize(lab, { response_mode: "jwt" });
      const text = parameters.response ?? "";
      const isSigned = fault === "jarm.unencrypted";
      const claims = isSigned ? decodeJwt(text) : JSON.parse(await ec.open(text, false));
      assertEquals([claims.iss, claims.aud, added.fired], [lab.issuer, "app", 1]);
    });
  }
});

describe("A fault inside of what is encrypted", () => {
  it("is in an ID token, which is encrypted as before", async () => {
    await using lab = await hallpass(ec.options);
    using _iss = lab.fault("id_token.wrong_iss");
    using _alg = lab.fault("id_token.alg_none");
    const jwe = await idTokenOf(lab, ec);
    const jwt = await ec.open(jwe);
    assertEquals(headerOf(jwe).kid, "enc");
    assertEquals(decodeJwt(jwt).iss, `${lab.issuer}/attacker`);
    assertEquals(decodeProtectedHeader(jwt).alg, "none");
  });

  for (const userinfoAlg of ["RS256", undefined] as const) {
    it(`is in ${userinfoAlg ? "a signed userinfo response" : "claims"}`, async () => {
      const [app] = ec.options.clients ?? [];
      assert(app);
      await using lab = await hallpass({
        clients: [{ ...app, userinfoAlg: userinfoAlg as "RS256" }],
      });
      using _ = lab.fault("userinfo.wrong_sub");
      const { code = "" } = (await ec.client.authorize(lab)).parameters;
      const { access_token } = (await ec.client.redeem(lab, code)).body;
      const text = await ec.open((await ec.client.userinfo(lab, access_token)).text);
      const claims = userinfoAlg ? decodeJwt(text) : JSON.parse(text);
      assertEquals([claims.sub, claims.aud], ["someone-else", "app"]);
    });
  }

  it("is in an authorization response", async () => {
    await using lab = await hallpass(ec.options);
    using _state = lab.fault("callback.wrong_state");
    using _aud = lab.fault("jarm.wrong_aud");
    const { parameters } = await ec.client.authorize(lab, { response_mode: "jwt" });
    const { state, aud } = decodeJwt(await ec.open(parameters.response ?? ""));
    assertEquals([state, aud], ["another-state", "app-someone-else"]);
  });

  it("is in a logout token", async () => {
    const { promise, resolve } = createDeferred<string>();
    await using lab = await hallpass({
      ...ec.options,
      async fetch(_url, { body = "" }) {
        resolve(new URLSearchParams(body).get("logout_token") ?? "");
        return new Response();
      },
    });
    using _ = lab.fault("logout_token.wrong_aud");
    const browser = lab.browser();
    const url = ec.client.authorizationUrl(lab);
    const { parameters: { code = "" } } = await browser.authorize(url, { user: "alice" });
    await ec.client.redeem(lab, code);
    await endLabSession(lab, browser.cookies);
    assertEquals(decodeJwt(await ec.open(await promise)).aud, "app-someone-else");
  });

  it("comes after a hook", needs("hooks"), async () => {
    await using lab = await hallpass(ec.options);
    lab.on("id_token", ({ claims }) => void (claims.tier = "gold"));
    assertEquals(decodeJwt(await ec.open(await idTokenOf(lab, ec))).tier, "gold");
  });
});
