import { assert, assertEquals, assertMatch } from "@std/assert";
import { SignJWT, UnsecuredJWT } from "jose";
import { describe, it } from "node:test";
import {
  isSignedIn,
  logOut,
  openSignedIn,
  returnUri,
  type SignedInSuite,
} from "../../conformance/logout_suite.ts";
import { openSuite, registrations } from "../../conformance/suite.ts";
import type { Page } from "../../support/browser.ts";
import { makeClientKey } from "../../support/client_key.ts";
import { claimsOf, type Fields, read } from "../../support/flow_kit.ts";

/** Confirms the sign-out if the server asks for it. */
async function confirm({ browser }: SignedInSuite, page: Page): Promise<Page> {
  const asks = page.html.includes('id="confirm-sign-out"');
  return asks ? await browser.submit(page, "confirm-sign-out") : page;
}

/** The modules that must not redirect, and what they change. */
const unredirected: Record<string, (suite: SignedInSuite) => Promise<Fields>> = {
  "oidcc-rp-initiated-logout-bad-post-logout-redirect-uri": async () => ({
    post_logout_redirect_uri: "https://suite.example/unregistered",
  }),
  "oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri": async () => ({
    post_logout_redirect_uri: `${returnUri}?foo=bar`,
  }),
  "oidcc-rp-initiated-logout-modified-id-token-hint": async ({ idToken }) => ({
    id_token_hint: new UnsecuredJWT({ ...claimsOf(idToken) }).encode(),
  }),
  "oidcc-rp-initiated-logout-bad-id-token-hint": async ({ idToken }) => {
    const { privateKey } = await makeClientKey("RS256");
    const jwt = new SignJWT({ ...claimsOf(idToken) }).setProtectedHeader({ alg: "RS256" });
    return { id_token_hint: await jwt.sign(privateKey) };
  },
  "oidcc-rp-initiated-logout-no-id-token-hint": async () => ({ id_token_hint: undefined }),
};

/** The modules that end on our page with the user signed out, and what they leave out. */
const ended: Record<string, Fields> = {
  "oidcc-rp-initiated-logout-no-params": {
    id_token_hint: undefined,
    post_logout_redirect_uri: undefined,
    state: undefined,
  },
  "oidcc-rp-initiated-logout-no-post-logout-redirect-uri": { post_logout_redirect_uri: undefined },
  "oidcc-rp-initiated-logout-only-state": {
    id_token_hint: undefined,
    post_logout_redirect_uri: undefined,
  },
};

for (const registration of registrations) {
  describe(`oidcc-rp-initiated-logout-certification-test-plan, as a ${registration} client`, () => {
    it("oidcc-rp-initiated-logout-discovery-endpoint-verification: the metadata names the endpoint", async () => {
      const { kit } = await openSuite({ registration });
      const { body } = await read(await kit.get("/.well-known/openid-configuration"));
      assertMatch(body.end_session_endpoint, /^https:/);
    });

    it("oidcc-rp-initiated-logout: redirects with the state, and prompt=none fails", async () => {
      const suite = await openSignedIn(registration);
      const { status, url } = await logOut(suite);
      assertEquals([status, url], [303, `${returnUri}?state=a-state`]);
      assertEquals(await isSignedIn(suite), false);
    });

    it("oidcc-rp-initiated-logout-no-state: redirects without a state", async () => {
      const suite = await openSignedIn(registration);
      const { status, url } = await logOut(suite, { state: undefined });
      assertEquals([status, url], [303, returnUri]);
      assertEquals(await isSignedIn(suite), false);
    });

    for (const [name, changesOf] of Object.entries(unredirected)) {
      it(`O13 ${name}: does not redirect`, async () => {
        const suite = await openSignedIn(registration);
        const page = await confirm(suite, await logOut(suite, await changesOf(suite)));
        assert(page.url.startsWith(suite.kit.issuer), page.url);
      });
    }

    for (const [name, changes] of Object.entries(ended)) {
      it(`O13 ${name}: signs the user out and shows a page`, async () => {
        const suite = await openSignedIn(registration);
        const page = await confirm(suite, await logOut(suite, changes));
        assertEquals(page.status, 200);
        assertEquals(await isSignedIn(suite), false);
      });
    }
  });
}
