import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { FaultName } from "../../../src/lab/testing/mod.ts";
import { clientSecret, openApple, servicesId } from "../../support/apple_login.ts";
import { present } from "../../support/present.ts";
import { app } from "./app_browser.ts";
import type { BetterAuthApp } from "./better_auth_app.ts";
import {
  atHosts,
  atIssuers,
  type BetterAuthCase,
  openFor,
  withProvider,
} from "./better_auth_providers.ts";

/** Signs in, refreshes and signs out. */
async function useWhole(application: BetterAuthApp, { account, refreshes }: BetterAuthCase) {
  const { user, account: linked } = await application.signIn();
  assertEquals([user.name, user.email], ["Alice Adler", "alice@example.com"]);
  assertMatch(linked.accountId, account);
  const accountId = linked.id;
  const { accessToken } = await application.call("get-access-token", { accountId });
  const refreshed = await application.call("refresh-token", { accountId });
  if (refreshes) assert(refreshed.accessToken && refreshed.accessToken !== accessToken);
  else assertEquals(refreshed.code, "REFRESH_TOKEN_NOT_FOUND");
  const info = await application.call(`account-info?accountId=${accountId}`);
  assertEquals([info.user.email, info.account.accountId], [user.email, linked.accountId]);
  await application.call("sign-out", {});
  assertEquals(await application.call("get-session"), null);
}

describe("better-auth, with the hosts that it has in its code", () => {
  for (const [id, each] of Object.entries(atHosts)) {
    it(`signs in with ${id}, refreshes and signs out`, async () => {
      await using lab = await openFor(id, each);
      using _ = lab.intercept({ hosts: true });
      await useWhole(each.create(), each);
      lab.assertClean({ refused: true });
    });
  }

  it("signs in with apple, whose first form alone has the name of the user", async () => {
    await using lab = await openApple({ hosts: true }, `${app}/api/auth/callback/apple`);
    using _ = lab.intercept();
    const settings = { clientId: servicesId, clientSecret: await clientSecret(lab) };
    const first = await withProvider("apple", settings).signIn();
    assertEquals([first.user.name, first.user.email], ["Alice Adler", "alice@example.com"]);
    assertMatch(first.account.accountId, /^\d{6}\.[0-9a-f]{32}\.\d{4}$/);
    assertEquals((await withProvider("apple", settings).signIn()).user.name, "");
  });

  const github = present(atHosts.github);
  const refusals: Array<[what: string, change: (callback: URL) => unknown, error: string]> = [
    ["another state", ({ searchParams }) => searchParams.set("state", "x"), "state_mismatch"],
    ["no state", ({ searchParams }) => searchParams.delete("state"), "state_not_found"],
    ["another code", ({ searchParams }) => searchParams.set("code", "x"), "invalid_code"],
  ];
  for (const [what, change, error] of refusals) {
    it(`refuses a callback with ${what}`, async () => {
      await using lab = await openFor("github", github);
      using _ = lab.intercept({ hosts: true });
      const application = github.create();
      const callback = await application.ask(await application.start());
      change(callback);
      assertEquals(await errorAt(application, callback), error);
    });
  }

  it("refuses a callback in another browser", async () => {
    await using lab = await openFor("github", github);
    using _ = lab.intercept({ hosts: true });
    const application = github.create();
    const callback = await application.ask(await application.start());
    assertEquals(await errorAt(github.create(), callback), "state_mismatch");
  });

  it("shows that the user declined", async () => {
    await using lab = await openFor("github", github);
    using _ = lab.intercept({ hosts: true });
    lab.signIn("alice", { decision: "deny" });
    const application = github.create();
    const callback = await application.ask(await application.start());
    assertEquals(await errorAt(application, callback), "access_denied");
  });

  it("believes the token endpoint of google about its ID token, which TLS allows", async () => {
    await using lab = await openFor("google", present(atHosts.google));
    using _ = lab.intercept({ hosts: true });
    lab.fault("id_token.foreign_signature");
    const { user } = await present(atHosts.google).create().signIn();
    assertEquals(user.email, "alice@example.com");
  });
});

describe("better-auth, with nothing but the issuer of a customer", () => {
  for (const [id, each] of Object.entries(atIssuers)) {
    it(`signs in with ${id}, refreshes and signs out`, async () => {
      await using lab = await openFor(id, each);
      using _ = lab.intercept();
      await useWhole(each.create(), each);
      lab.assertClean({ refused: true });
    });
  }

  for (const id of ["auth0", "okta", "keycloak"]) {
    it(`ends the session at ${id}, which leads back to the application`, async () => {
      const provider = present(atIssuers[id]);
      await using lab = await openFor(id, provider);
      using _ = lab.intercept();
      const application = provider.create();
      await application.signIn();
      const { url } = await application.call("sign-out", { callbackURL: app, state: "bye" });
      const response = await fetch(url, { redirect: "manual" });
      assertEquals(response.headers.get("Location"), `${app}/?state=bye`);
    });
  }

  const forgeries: Array<[id: string, fault: FaultName, error: string]> = [
    ["auth0", "id_token.foreign_signature", "unable_to_get_user_info"],
    ["auth0", "id_token.alg_none", "unable_to_get_user_info"],
    ["okta", "id_token.wrong_iss", "unable_to_get_user_info"],
    ["okta", "id_token.wrong_aud", "unable_to_get_user_info"],
    ["keycloak", "id_token.wrong_nonce", "unable_to_get_user_info"],
    ["keycloak", "id_token.expired", "unable_to_get_user_info"],
    ["keycloak", "callback.wrong_iss", "issuer_mismatch"],
    ["cognito", "token.server_error", "invalid_code"],
  ];
  for (const [id, fault, error] of forgeries) {
    it(`refuses a sign-in with ${id} under the fault ${fault}`, async () => {
      const provider = present(atIssuers[id]);
      await using lab = await openFor(id, provider);
      using _ = lab.intercept();
      lab.fault(fault);
      const application = provider.create();
      const callback = await application.ask(await application.start());
      assertEquals(await errorAt(application, callback), error);
    });
  }
});

/** Opens a callback that is refused, and returns the error that the user sees. */
async function errorAt(application: BetterAuthApp, callback: URL): Promise<string | null> {
  const page = await application.finish(callback) ?? "";
  assertEquals(await application.call("get-session"), null);
  return new URL(page, app).searchParams.get("error");
}
