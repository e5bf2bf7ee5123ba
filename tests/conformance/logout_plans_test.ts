import { assert, assertEquals, assertMatch } from "@std/assert";
import { jwtVerify, SignJWT, UnsecuredJWT } from "jose";
import { describe, it } from "node:test";
import type { ClientConfig } from "../../src/server/features.ts";
import { type Browser, type Page, unescape } from "../support/browser.ts";
import { makeClientKey } from "../support/client_key.ts";
import { claimsOf, type Fields, read } from "../support/flow_kit.ts";
import { logoutUrl } from "../support/logout.ts";
import { openSuite, type Registration, registrations, type Suite } from "./suite.ts";

const returnUri = "https://suite.example/post_logout_redirect";
const backchannelUri = "https://suite.example/backchannel_logout";
const frontchannelUri = "https://suite.example/frontchannel_logout";

/** A suite whose user has signed in. */
interface SignedInSuite extends Suite {
  browser: Browser;
  idToken: string;
  /** The bodies of the requests that the server sent to the suite. */
  received: URLSearchParams[];
}

async function openSignedIn(
  registration: Registration,
  client: Partial<ClientConfig> = {},
): Promise<SignedInSuite> {
  const received: URLSearchParams[] = [];
  const suite = await openSuite({
    registration,
    client: { postLogoutRedirectUris: [returnUri], ...client },
    fetch: async (_, { body = "" }) => {
      received.push(new URLSearchParams(body));
      return new Response();
    },
  });
  const browser = suite.kit.browser();
  const { id_token } = await suite.tokens({}, browser);
  return { ...suite, browser, idToken: id_token, received };
}

/** Opens the logout endpoint as the suite does; a value that is undefined is left out. */
function logOut({ kit, browser, idToken }: SignedInSuite, changes: Fields = {}): Promise<Page> {
  const fields = { id_token_hint: idToken, post_logout_redirect_uri: returnUri, state: "a-state" };
  return browser.open(logoutUrl(kit, { ...fields, ...changes }));
}

async function isSignedIn({ authorize, browser }: SignedInSuite): Promise<boolean> {
  const { parameters } = await authorize({ prompt: "none" }, browser);
  return parameters.has("code");
}

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

  describe(`oidcc-backchannel-rp-initiated-logout-certification-test-plan, as a ${registration} client`, () => {
    it("oidcc-backchannel-logout-discovery-endpoint-verification: the metadata offers it", async () => {
      const { kit } = await openSuite({ registration });
      const { body } = await read(await kit.get("/.well-known/openid-configuration"));
      assertEquals(
        [body.backchannel_logout_supported, body.backchannel_logout_session_supported],
        [true, true],
      );
    });

    it("oidcc-backchannel-rp-initiated-logout: sends a logout token for the session of the ID token", async () => {
      const suite = await openSignedIn(registration, { backchannelLogoutUri: backchannelUri });
      assertEquals((await logOut(suite)).url, `${returnUri}?state=a-state`);
      // Waits for what the server does in the background.
      await suite.kit.server.close();
      const [logout] = suite.received;
      const token = logout?.get("logout_token") ?? "";
      const { payload, protectedHeader } = await jwtVerify(token, await suite.keys(), {
        issuer: suite.kit.issuer,
        audience: suite.clientId,
        currentDate: new Date(suite.kit.clock.now),
      });
      const { sub, sid } = claimsOf(suite.idToken);
      assertEquals([payload.sub, payload.sid, protectedHeader.typ], [sub, sid, "logout+jwt"]);
      assertEquals(payload.events, { "http://schemas.openid.net/event/backchannel-logout": {} });
      assertEquals(["nonce" in payload, typeof payload.jti], [false, "string"]);
    });
  });

  describe(`oidcc-frontchannel-rp-initiated-logout-certification-test-plan, as a ${registration} client`, () => {
    it("oidcc-frontchannel-logout-discovery-endpoint-verification: the metadata offers it", async () => {
      const { kit } = await openSuite({ registration });
      const { body } = await read(await kit.get("/.well-known/openid-configuration"));
      assertEquals(
        [body.frontchannel_logout_supported, body.frontchannel_logout_session_supported],
        [true, true],
      );
    });

    it("oidcc-frontchannel-rp-initiated-logout: loads the client's URI with iss and sid, then redirects", async () => {
      const suite = await openSignedIn(registration, { frontchannelLogoutUri: frontchannelUri });
      const { html } = await logOut(suite);
      const frame = new URL(unescape(/<iframe src="([^"]*)"/.exec(html)?.[1] ?? ""));
      assertEquals(frame.origin + frame.pathname, frontchannelUri);
      assertEquals([frame.searchParams.get("iss"), frame.searchParams.get("sid")], [
        suite.kit.issuer,
        claimsOf(suite.idToken).sid,
      ]);
      assertMatch(html, /<a id="continue" class="button" href="[^"]*\?state=a-state">/);
      assertEquals(await isSignedIn(suite), false);
    });
  });
}
