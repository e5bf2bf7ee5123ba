import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe } from "node:test";
import * as oauth from "oauth4webapi";
import { type FaultName, hallpass, LabError, type TestLab } from "../../../src/lab/testing/mod.ts";
import { itWith } from "../../support/it_with.ts";
import { authorizationUrl } from "../../support/login.ts";
import { present } from "../../support/present.ts";
import { calls, misdeeds } from "./endpoint_calls.ts";
import { login } from "./library_login.ts";

const it = itWith({ inLab: hallpass });

/** A revocation is good when its status is; the body says nothing. */
const unnoticed = ["revoke.malformed_json"];

describe("Faults of any endpoint", () => {
  for (const [place, call] of Object.entries(calls)) {
    it.inLab(`${place}: a client library notices each, and comes back when they are over`, async (lab) => {
      for (const misdeed of misdeeds) {
        const fault = lab.fault(`${place}.${misdeed}` as FaultName, { times: 1 });
        if (unnoticed.includes(fault.name)) await call(lab);
        else await assertRejects(() => call(lab));
        assertEquals([fault.name, fault.fired], [fault.name, 1]);
      }
      await call(lab);
    });

    it.inLab(`${place}.slow: comes late, and is as good as ever`, async (lab) => {
      const fault = lab.fault(`${place}.slow` as FaultName, { delay: "1ms", times: 1 });
      await call(lab);
      assertEquals(fault.fired, 1);
    });
  }

  for (const [place, call] of Object.entries(calls)) {
    if (place === "revoke") continue;
    it.inLab(`${place}.response: a client library meets a status and a body of one's own`, async (lab) => {
      const fault = lab.fault(`${place}.response` as FaultName, {
        status: 418,
        body: { teapot: true },
        times: 1,
      });
      await assertRejects(() => call(lab));
      assertEquals(fault.fired, 1);
      await call(lab);
    });
  }

  it.inLab("never: whoever gives up waiting is told so, and the lab can be closed", async (lab) => {
    lab.fault("token.never");
    const stop = new AbortController();
    const call = calls.token(lab, stop.signal);
    await lab.waitForRequest({ path: "/.well-known/openid-configuration" });
    stop.abort();
    await assertRejects(() => call);
  });

  it.inLab("429 says when to come back", async (lab) => {
    lab.fault("token.too_many_requests", { delay: "7s" });
    const { status, headers } = await lab.fetch(`${lab.issuer}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams(),
    });
    assertEquals([status, headers.get("Retry-After")], [429, "7"]);
  });
});

describe("Faults that a careful client refuses", () => {
  const refused: FaultName[] = [
    "token.without_token_type",
    "token.wrong_token_type",
    "token.without_id_token",
    "token.without_access_token",
    "userinfo.without_sub",
    "userinfo.wrong_sub",
    "token.invalid_grant",
    "token.invalid_client",
    "token.temporarily_unavailable",
    "id_token.wrong_iss",
    "id_token.wrong_aud",
    "id_token.wrong_azp",
    "id_token.expired",
    "id_token.unknown_kid",
    "id_token.alg_none",
    "id_token.hs256_with_public_key",
    "id_token.foreign_signature",
    "id_token.wrong_nonce",
    "id_token.without_nonce",
    "id_token.wrong_sub",
    "access_token.wrong_iss",
    "access_token.wrong_aud",
    "access_token.expired",
    "access_token.alg_none",
    "access_token.foreign_signature",
    "access_token.hs256_with_public_key",
    "access_token.unknown_kid",
    "access_token.used_up",
    "callback.wrong_state",
    "callback.without_state",
    "callback.doubled_state",
    "callback.wrong_iss",
    "callback.without_iss",
    "callback.doubled_iss",
    "callback.foreign_code",
    "callback.error_and_code",
    "callback.denied",
    "callback.fixated_session",
    "metadata.wrong_issuer",
    "metadata.foreign_token_endpoint",
    "metadata.not_found",
    "jwks.empty",
  ];
  for (const name of refused) {
    it.inLab(`${name}: the login fails`, async (lab) => {
      const fault = lab.fault(name);
      await assertRejects(() => login(lab));
      assert(fault.fired > 0, "it never struck");
    });
  }
});

describe("Faults that a client may live with", () => {
  const harmless: FaultName[] = [
    "token.without_scope",
    "token.without_expires_in",
    "metadata.without_pkce",
    "metadata.wrong_content_type",
    "jwks.rotated",
    "id_token.wrong_at_hash",
    "id_token.issued_in_future",
    "access_token.wrong_azp",
    "access_token.issued_in_future",
  ];
  for (const name of harmless) {
    it.inLab(`${name}: shows in what the client holds, and the login goes on`, async (lab) => {
      const fault = lab.fault(name, { times: 1 });
      await login(lab);
      assertEquals(fault.fired, 1);
    });
  }

  it("B29 callback.other_redirect_uri: the library leaves it to the application to notice", async () => {
    const issuer = "https://hallpass.test";
    const redirectUris = [`${issuer}/authorized`, "https://app.example/another-connection"];
    await using lab = await hallpass({ issuer, clients: [{ id: "demo-spa", redirectUris }] });
    const { accepted } = await lab.drill(
      () => login(lab, { scope: "openid" }),
      ["callback.other_redirect_uri"],
    );
    assertEquals(accepted.map(({ fault }) => fault), ["callback.other_redirect_uri"]);
  });

  it.inLab("callback.duplicate: the browser comes twice, the second time for nothing", async (lab) => {
    lab.fault("callback.duplicate");
    const page = await assertRejects(
      () => lab.authorize(authorizationUrl(lab), { user: "alice" }),
      LabError,
    );
    assertMatch(page.message, /200/);
    const [last] = lab.requests({ secrets: true }).slice(-1);
    assertMatch(JSON.stringify(last?.response), /Refresh|refresh/);
  });
});

describe("Faults of refreshing", () => {
  async function signIn(lab: TestLab, scope = "openid offline_access") {
    const { refresh, tokens } = await login(lab, { scope, callUserinfo: false });
    return { refresh, token: present(tokens.refresh_token) };
  }

  it.inLab("refresh.not_rotated: the same token goes on working", async (lab) => {
    const { refresh, token } = await signIn(lab);
    lab.fault("refresh.not_rotated", { times: 2 });
    for (let time = 0; time < 2; time++) {
      assertEquals((await refresh(token)).refresh_token, token);
    }
    assertEquals((await refresh(token)).refresh_token === token, false);
    assertEquals(lab.report().clean, true);
  });

  it.inLab("refresh.old_token_sent: the token that came is worth nothing", async (lab) => {
    const { refresh, token } = await signIn(lab);
    lab.fault("refresh.old_token_sent", { times: 1 });
    assertEquals((await refresh(token)).refresh_token, token);
    await assertRejects(() => refresh(token));
  });

  it.inLab("refresh.less_scope: the response names the scope that is left", async (lab) => {
    const { refresh, token } = await signIn(lab, "openid email offline_access");
    lab.fault("refresh.less_scope", { times: 1 });
    const { scope: less = "", refresh_token } = await refresh(token);
    const { scope: all = "" } = await refresh(present(refresh_token));
    assert(less.split(" ").length < all.split(" ").length);
  });

  it.inLab("refresh.invalid_grant: on the second use", async (lab) => {
    const { refresh, token } = await signIn(lab);
    lab.fault("refresh.invalid_grant", { nth: 2 });
    const next = present((await refresh(token)).refresh_token);
    const error = await assertRejects(() => refresh(next), oauth.ResponseBodyError);
    assertEquals((error as oauth.ResponseBodyError).error, "invalid_grant");
  });

  it.inLab("access_token.used_up: good for two uses", async (lab) => {
    lab.fault("access_token.used_up", { nth: 3 });
    for (let use = 0; use < 2; use++) await calls.userinfo(lab);
    await assertRejects(() => calls.userinfo(lab));
  });

  it.inLab("introspect.inactive and register.refused are told", async (lab) => {
    lab.fault("introspect.inactive");
    lab.fault("register.refused");
    assertEquals((await calls.introspect(lab) as oauth.IntrospectionResponse).active, false);
    await assertRejects(() => calls.register(lab));
  });
});

describe("A fault", () => {
  it.inLab("is bound to what a client sends: its id, its state, its login_hint", async (lab) => {
    lab.fault("id_token.wrong_nonce", { state: "one" });
    lab.fault("token.invalid_grant", { loginHint: "bob" });
    lab.fault("token.server_error", { client: "demo-service" });
    await login(lab, { state: "other" });
    await assertRejects(() => login(lab, { state: "one" }));
    await assertRejects(() => login(lab, { loginHint: "bob", user: "bob" }));
    await assertRejects(() => calls.token(lab));
  });

  it.inLab("for a tenant stands with the tenant, and is given and taken back by way of the lab", async (lab) => {
    const [one, other] = [await lab.tenant({ id: "one" }), await lab.tenant({ id: "other" })];
    const fault = lab.fault("jwks.server_error", { tenant: "one" });
    const status = async (each: TestLab) => (await each.fetch(`${each.issuer}/oauth2/jwks`)).status;
    assertEquals([await status(one), await status(other), await status(lab)], [500, 200, 200]);
    assertEquals(lab.faults.list().map(({ id, tenant, fired }) => [id, tenant, fired]), [[
      fault.id,
      "one",
      1,
    ]]);
    lab.faults.remove(fault.id);
    assertEquals([await status(one), one.faults.list()], [200, []]);
    assertThrows(
      () => lab.fault("jwks.html", { tenant: "none" }),
      LabError,
      "Choose one of: one, other",
    );
  });

  it.inLab("that is unknown, or has members that nobody knows, is refused, and changes nothing", (lab) => {
    assertThrows(() => lab.fault("token.server_eror" as FaultName), LabError, "token.server_error");
    assertThrows(
      () => lab.fault("token.slow", { clint: "x" } as never),
      LabError,
      "Choose one of: name, delay, claims, status, headers, body, merge, set, unset",
    );
    assertThrows(() => lab.fault("token.slow", { nth: 0 }), LabError, "whole number");
    assertThrows(() => lab.fault("token.slow", { delay: "soon" as never }), LabError, "duration");
    assertEquals(lab.faults.list(), []);
  });

  it.inLab("that never struck is in the report", (lab) => {
    const fault = lab.fault("device.html");
    assertEquals(lab.report().idleFaults, ["device.html"]);
    lab.faults.remove(fault.id);
    assertEquals(lab.report().idleFaults, []);
  });
});
