import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import appleSignIn from "apple-signin-auth";
import { describe, it } from "node:test";
import type { HallpassOptions, TestLab } from "../../../src/lab/testing/mod.ts";
import {
  downloadedKey,
  fieldsOf,
  formOf,
  keyId,
  openApple,
  servicesId,
  teamId,
} from "../../support/apple_login.ts";
import { callback } from "../../support/provider_login.ts";
import { needs } from "../../support/where_feature.ts";

/** Leads the requests of the library to a lab that has the host of Apple as its own. */
async function openForLibrary(options: HallpassOptions = {}): Promise<TestLab> {
  const lab = await openApple({ hosts: true, ...options });
  appleSignIn._setFetch(lab.fetch);
  return lab;
}

function options(expAfter = 300) {
  const clientSecret = appleSignIn.getClientSecret({
    ...{ clientID: servicesId, teamID: teamId, keyIdentifier: keyId },
    ...{ privateKey: downloadedKey, expAfter },
  });
  return { clientID: servicesId, redirectUri: callback, clientSecret };
}

async function codeAt(lab: TestLab, scope = "email name"): Promise<string> {
  const url = appleSignIn.getAuthorizationUrl({ ...options(), scope, state: "a-state" });
  return (await fieldsOf(await lab.fetch(url))).code ?? "";
}

describe("apple-signin-auth, at the host that it knows", () => {
  it("Z1: signs in cleanly, and verifies the ID token by the keys of Apple", async () => {
    await using lab = await openForLibrary();
    const tokens = await appleSignIn.getAuthorizationToken(await codeAt(lab), options());
    const claims = await appleSignIn.verifyIdToken(tokens.id_token, { audience: servicesId });
    assertMatch(claims.sub, /^\d{6}\.[0-9a-f]{32}\.\d{4}$/);
    assertEquals([claims.email, String(claims.email_verified)], ["alice@example.com", "true"]);
    lab.assertClean();
  });

  it(
    "signs in and refreshes for a client that the lab does not know",
    needs("any_client"),
    async () => {
      await using lab = await openForLibrary({ clients: [], anyClient: true });
      const tokens = await appleSignIn.getAuthorizationToken(await codeAt(lab), options());
      await appleSignIn.verifyIdToken(tokens.id_token, { audience: servicesId });
      const again = await appleSignIn.refreshAuthorizationToken(tokens.refresh_token, options());
      assertEquals(typeof again.access_token, "string");
      lab.assertClean();
    },
  );

  it("verifies the ID token that comes with the code, and its nonce", async () => {
    await using lab = await openForLibrary();
    const changes = { response_type: "code id_token", nonce: "a-nonce" };
    const { id_token = "" } = await formOf(lab, "email name", changes);
    const expected = { audience: servicesId, nonce: "a-nonce" };
    const claims = await appleSignIn.verifyIdToken(id_token, expected);
    assertEquals(claims.email, "alice@example.com");
    const other = { ...expected, nonce: "another" };
    await assertRejects(() => appleSignIn.verifyIdToken(id_token, other), Error, "nonce");
  });

  it("Z1: refreshes with the same secret and revokes cleanly", async () => {
    await using lab = await openForLibrary();
    const secret = options();
    const { refresh_token } = await appleSignIn.getAuthorizationToken(await codeAt(lab), secret);
    const refreshed = await appleSignIn.refreshAuthorizationToken(refresh_token, secret);
    assertEquals(Object.keys(refreshed).includes("refresh_token"), false);
    await appleSignIn.revokeAuthorizationToken(refresh_token, {
      ...{ ...secret, tokenTypeHint: "refresh_token" },
    });
    lab.assertClean();
    const refused = await appleSignIn.refreshAuthorizationToken(refresh_token, secret);
    assertEquals(refused as unknown, { error: "invalid_grant" });
  });

  it("reads the error of a secret that lasts too long, and of a page without form_post", async () => {
    await using lab = await openForLibrary();
    const refused = await appleSignIn.getAuthorizationToken(
      await codeAt(lab),
      options(200 * 86400),
    );
    assertEquals(refused as unknown, { error: "invalid_client" });
    // The library asks for a form only if the scope has email.
    assertEquals(await codeAt(lab, "name"), "");
  });

  it("refuses the ID token of another issuer", async () => {
    await using lab = await openApple();
    appleSignIn._setFetch((url: string) => lab.fetch(url.replace(/.*com/, lab.issuer)));
    const { token } = await lab.mint({ kind: "id", sub: "alice", client: servicesId });
    await assertRejects(() => appleSignIn.verifyIdToken(token), Error, "jwt issuer invalid");
  });
});
