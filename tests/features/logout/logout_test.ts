import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeProtectedHeader, SignJWT } from "jose";
import { describe } from "node:test";
import type { ClientConfig } from "../../../src/server/features.ts";
import {
  type Browser,
  type Page,
  readForm,
  textOf,
  type UserActions,
} from "../../support/browser.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { itWith } from "../../support/it_with.ts";
import { makeKeyPair } from "../../support/key_pairs.ts";
import { claimsOf, type Fields, type Kit, openKit, read } from "../../support/kit.ts";
import { logoutUrl, signedIn, whoIsSignedIn } from "../../support/logout.ts";
import { present } from "../../support/present.ts";
import { redirectUri, register } from "../../support/registration.ts";
import { hasFeature } from "../../support/where_feature.ts";

const it = itWith({ inKit: openAppKit, atApp: () => openSignedIn() });

const app: ClientConfig = {
  id: "app",
  name: "The app",
  redirectUris: ["https://app.example/cb"],
  postLogoutRedirectUris: ["https://app.example/bye", "https://app.example/bye?from=here"],
};
const cli: ClientConfig = {
  id: "cli",
  native: true,
  redirectUris: ["http://127.0.0.1/cb"],
  postLogoutRedirectUris: ["http://127.0.0.1/bye"],
};
const bye = "https://app.example/bye";

function openAppKit(): Kit {
  return openKit({ clients: [app, cli] });
}

const appRequest = { client_id: "app", redirect_uri: "https://app.example/cb", scope: "openid" };

function appSignedIn(kit: Kit, actions?: UserActions, browser?: Browser) {
  return signedIn(kit, appRequest, actions, browser);
}

/** Opens a server, and a browser that is signed in at a client. */
async function openSignedIn(kit = openAppKit(), request: Fields = appRequest) {
  const { browser, idToken } = await signedIn(kit, request);
  return {
    ...{ kit, browser, idToken },
    /** What a client sends that does everything well. */
    hinted: { id_token_hint: idToken, post_logout_redirect_uri: bye },
    leave: (fields: Fields = {}, by = browser) => by.open(logoutUrl(kit, fields)),
    confirm: (question: Page) => browser.submit(question, "confirm-sign-out"),
    who: (by = browser) => whoIsSignedIn(kit, by),
  };
}

/** Its modules are those of oidcc-rp-initiated-logout-certification-test-plan. */
describe("Logout by a client (OpenID Connect RP-Initiated Logout)", () => {
  it("needs exact URIs with https in the configuration", () => {
    const postLogoutRedirectUris = ["https://*.example/bye", "http://a.example/bye"];
    const clients = [{ ...app, postLogoutRedirectUris }];
    assertEquals(problemsOf({ issuer: "https://id.example", clients }), [
      "clients[0].postLogoutRedirectUris[0] contains a wildcard; only exact URIs can be registered",
      "clients[0].postLogoutRedirectUris[1] uses http with the host 'a.example', which is not loopback",
    ]);
  });

  it.atApp("O13 oidcc-rp-initiated-logout: signs out and returns with the state, and then prompt=none fails", async ({ kit, browser, hinted, leave }) => {
    const { status, url } = await leave({ ...hinted, state: "a b&c=d+é%\n" });
    assertEquals([status, url], [303, `${bye}?state=a%20b%26c%3Dd%2B%C3%A9%25%0A`]);
    const silent = await browser.open(kit.authorizationUrl({ ...appRequest, prompt: "none" }));
    assertMatch(silent.url, /error=login_required/);
  });

  for (const uri of app.postLogoutRedirectUris!) {
    it.atApp(`O13 oidcc-rp-initiated-logout-no-state: returns without a state to ${uri}`, async ({ hinted, leave }) => {
      const { status, url } = await leave({ ...hinted, post_logout_redirect_uri: uri });
      assertEquals([status, url], [303, uri]);
    });
  }

  it.atApp("O13 takes a hint that has expired, as long as its session lasts", async ({ kit, hinted, leave, who }) => {
    kit.clock.advance(20 * 3600);
    assertEquals((await leave(hinted)).url, bye);
    assertEquals(await who(), undefined);
  });

  for (const [what, fields] of [["no-params", {}], ["only-state", { state: "s" }]] as const) {
    it.atApp(`O13 oidcc-rp-initiated-logout-${what}: asks, signs out and shows our page`, async ({ leave, confirm, who }) => {
      const question = await leave(fields);
      assertMatch(textOf(question.html), /Signed in as Alice Adler alice@example\.com/);
      assertEquals(await who(), "alice");
      const page = await confirm(question);
      assertEquals([page.status, /id="continue"/.test(page.html)], [200, false]);
      assertMatch(page.html, /You are signed out/);
      assertEquals(await who(), undefined);
      assertEquals((await confirm(question)).status, 200);
    });
  }

  it.atApp("O13 oidcc-rp-initiated-logout-no-post-logout-redirect-uri: signs out and shows our page", async ({ idToken, leave, who }) => {
    const page = await leave({ id_token_hint: idToken, state: "s" });
    assertEquals([page.status, /You are signed out/.test(page.html)], [200, true]);
    assertEquals(await who(), undefined);
  });

  const unsigned = btoa('{"alg":"none","typ":"JWT"}').replaceAll("=", "");
  const doubtful: Record<string, [fieldsOf: (idToken: string) => Fields, message: RegExp]> = {
    "oidcc-rp-initiated-logout-modified-id-token-hint": [
      (hint) => ({
        id_token_hint: `${unsigned}.${hint.split(".")[1]}.`,
        post_logout_redirect_uri: bye,
      }),
      /must be an ID token that this server issued/,
    ],
    "an access token for a hint": [
      () => ({ id_token_hint: "x.y.z", post_logout_redirect_uri: bye }),
      /must be an ID token/,
    ],
    "a hint of another client than the client_id": [
      (hint) => ({ id_token_hint: hint, client_id: "cli" }),
      /must have been issued to the client of the client_id/,
    ],
    "an unknown client": [
      () => ({ client_id: "nobody", post_logout_redirect_uri: bye }),
      /client_id must be that of a known client/,
    ],
    "two redirect URIs": [
      (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: [bye, "https://evil.example/"] }),
      /must be sent only once/,
    ],
  };
  for (const [what, [fieldsOf, message]] of Object.entries(doubtful)) {
    it.atApp(`O13 shows an error, does not redirect and ends no session: ${what}`, async ({ idToken, leave, who }) => {
      const page = await leave(fieldsOf(idToken));
      assertEquals([page.status, page.headers.get("Location")], [400, null]);
      assertMatch(textOf(page.html), message);
      assertEquals(await who(), "alice");
    });
  }

  const unregistered = /it is not registered/;
  const dropped: Record<string, [uri: string, reason: RegExp, fields?: Fields]> = {
    "oidcc-rp-initiated-logout-bad-post-logout-redirect-uri": [
      "https://app.example/other",
      /it is not registered; registered: https:\/\/app\.example\/bye /,
    ],
    "oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri": [
      `${bye}?x=y`,
      unregistered,
    ],
    "oidcc-rp-initiated-logout-no-id-token-hint": [
      bye,
      /it needs an id_token_hint or a client_id/,
      { id_token_hint: undefined },
    ],
    "the redirect URI of another client": ["http://127.0.0.1/bye", unregistered],
    "another port for a client that is not native": [
      "https://app.example:444/bye",
      unregistered,
      { id_token_hint: undefined, client_id: "app" },
    ],
    "a script": ["javascript:alert(1)", unregistered, { state: "s" }],
  };
  for (const [what, [uri, reason, fields]] of Object.entries(dropped)) {
    it.atApp(`O13 asks, drops the address and explains it in a lab: ${what}`, async ({ hinted, leave, confirm, who }) => {
      const question = await leave({ ...hinted, post_logout_redirect_uri: uri, ...fields });
      assertMatch(textOf(question.html), reason);
      assertEquals([question.status, await who()], [200, "alice"]);
      const { status, html } = await confirm(question);
      assertEquals([status, /href="(http|javascript)/.test(html)], [200, false]);
      assertMatch(textOf(html), reason);
      assertEquals(await who(), undefined);
    });
  }

  const evil = { post_logout_redirect_uri: "https://evil.example/" };

  it("O13 drops the address without an explanation outside a lab", async () => {
    const kit = openKit({ clients: [app, cli], hints: false });
    const { leave, confirm } = await openSignedIn(kit);
    const question = await leave(evil);
    assertMatch(question.html, /id="confirm-sign-out"/);
    for (const { html } of [question, await confirm(question)]) {
      assert(!html.includes("evil.example"));
    }
  });

  it.inKit("O13 shows our page, without a link, if no user is signed in and the address is dropped", async (kit) => {
    const page = await kit.browser().open(logoutUrl(kit, { ...evil, client_id: "app" }));
    assertEquals([page.status, page.html.includes('href="https:')], [200, false]);
    assertMatch(textOf(page.html), /You are signed out/);
  });

  it.atApp("O13 oidcc-rp-initiated-logout-bad-id-token-hint: rejects a hint that another party signed", async ({ idToken, hinted, leave, who }) => {
    const { privateKey } = await makeKeyPair("ES256");
    const header = { alg: "ES256", kid: present(decodeProtectedHeader(idToken).kid), typ: "JWT" };
    const jwt = new SignJWT(claimsOf(idToken)).setProtectedHeader(header);
    const page = await leave({ ...hinted, id_token_hint: await jwt.sign(privateKey) });
    assertEquals([page.status, await who()], [400, "alice"]);
  });

  for (const user of ["bob", "alice"]) {
    it.atApp(`O13 asks when the hint is of another user or session, and then returns: ${user}`, async ({ kit, hinted, leave, who }) => {
      const { browser } = await appSignedIn(kit, { user });
      const page = await leave({ ...hinted, state: "s" }, browser);
      const words = `You come from The app Signed in as .* ${user}@example\\.com `;
      assertMatch(textOf(page.html), new RegExp(words));
      assertEquals((await browser.submit(page, "confirm-sign-out")).url, `${bye}?state=s`);
      assertEquals(await who(browser), undefined);
    });
  }

  const byId = { client_id: "app", post_logout_redirect_uri: bye };

  it.atApp("O13 asks when there is a client_id alone, and then returns", async ({ leave, confirm }) => {
    assertEquals((await confirm(await leave(byId))).url, bye);
  });

  it.atApp("O13 returns at once when no user is signed in and the hint is good; a client_id alone gets a link", async ({ hinted, leave }) => {
    for (const _ of ["signs out", "is signed out"]) assertEquals((await leave(hinted)).url, bye);
    const { status, html } = await leave({ ...byId, state: "s" });
    assertEquals(status, 200);
    const link = `href="${bye}?state=s">Continue to <bdi>The app</bdi></a>`;
    assertStringIncludes(html, `<a id="continue" class="button" ${link}`);
  });

  it.atApp("O13 works by POST, which brings no cookie from another site", async ({ kit, browser, hinted, who }) => {
    const fields = { ...hinted, state: "s", ui_locales: "de", logout_hint: "alice" };
    const posted = await kit.post("/oauth2/logout", fields);
    assertEquals(posted.status, 303);
    const page = await browser.open(kit.issuer + posted.headers.get("Location"));
    assertEquals([page.url, await who()], [`${bye}?state=s`, undefined]);
    const { headers } = await kit.post("/oauth2/logout", { ...fields, ...evil });
    assertMatch(present(headers.get("Location")), /^\/oauth2\/logout\//);
  });

  it("O13 A11 lets a native client listen on any port", async () => {
    const redirect_uri = "http://127.0.0.1:4711/cb";
    const request = { client_id: "cli", redirect_uri, scope: "openid" };
    const { hinted, leave } = await openSignedIn(openAppKit(), request);
    const uri = "http://127.0.0.1:4712/bye";
    assertEquals((await leave({ ...hinted, post_logout_redirect_uri: uri })).url, uri);
  });

  it.atApp("forgets a request that waits longer than an hour", async ({ kit, leave, confirm, who }) => {
    const page = await leave(byId);
    kit.clock.advance(3600);
    assertEquals([(await confirm(page)).status, await who()], [400, "alice"]);
  });

  it.atApp("leads to no address that its client has lost in the meantime", async ({ kit, leave, confirm, who }) => {
    const { records, settings } = kit.server.context;
    const client = { ...present(await settings.clients.get("app")), id: "late" };
    await records.clients.put("late", client, 8.64e15);
    const page = await leave({ ...byId, client_id: "late" });
    const changed = { ...client, ...{ postLogoutRedirectUris: [] } };
    await records.clients.put("late", changed, 8.64e15);
    const { status, html } = await confirm(page);
    assertEquals([status, html.includes(`href="${bye}`)], [200, false]);
    assertEquals(await who(), undefined);
  });

  describe("where a request needs no ID token (section 6)", () => {
    const it = itWith({
      atApp: () => openSignedIn(openKit({ clients: [app, cli], logoutConfirmation: "skip" })),
    });

    it.atApp("signs out without a question, and returns to a URI of the client alone", async ({ leave, confirm, who }) => {
      const question = await leave({ ...byId, ...evil });
      assertEquals(await who(), "alice");
      assertEquals((await confirm(question)).headers.get("Location"), null);
      assertEquals((await leave({ ...byId, state: "s" })).url, `${bye}?state=s`);
    });

    for (const fields of [byId, {}]) {
      it.atApp(`signs out, also by POST: ${Object.keys(fields)}`, async ({ kit, browser, who }) => {
        const posted = await kit.post("/oauth2/logout", fields);
        const page = await browser.open(kit.issuer + posted.headers.get("Location"));
        assertEquals([/id="confirm-sign-out"/.test(page.html), await who()], [false, undefined]);
      });
    }

    it.atApp("O13 asks when the hint is of another user's session, as always", async ({ kit, hinted, leave }) => {
      const { browser } = await appSignedIn(kit, { user: "bob" });
      assertMatch((await leave(hinted, browser)).html, /id="confirm-sign-out"/);
    });
  });

  if (hasFeature("registration")) {
    describe("of an untrusted client", () => {
      const it = itWith({ atUntrusted: openUntrusted });

      /** Opens what `openSignedIn` does, at a client that registered itself. */
      async function openUntrusted() {
        const kit = openAppKit();
        const metadata = { client_name: "Honest App", post_logout_redirect_uris: [bye] };
        const { client_id } = (await register(kit, metadata)).body;
        const request = { client_id, redirect_uri: redirectUri, scope: "openid" };
        return { client_id, ...await openSignedIn(kit, request) };
      }

      const warning = /registered itself\. Its identity is not verified\./;

      it.atUntrusted("M1: does not redirect a browser without a session, with any hint", async ({ kit, hinted, leave }) => {
        const page = await leave({ ...hinted, state: "s" }, kit.browser());
        assertEquals([page.status, page.headers.get("Location")], [200, null]);
        assertStringIncludes(page.html, `<a id="continue" class="button" href="${bye}?state=s">`);
        assertMatch(textOf(page.html), warning);
        assertMatch(textOf(page.html), /The button leads to https:\/\/app\.example\/bye/);
      });

      it.atUntrusted("M1: does not redirect after the session of the hint has ended, nor by script", async ({ hinted, leave }) => {
        assertEquals((await leave(hinted)).url, bye);
        const again = await leave(hinted);
        assertEquals([again.status, again.html.includes("<script")], [200, false]);
      });

      it.atUntrusted("M1: redirects where the hint is of the very session that ends", async ({ hinted, leave, who }) => {
        const { status, url } = await leave(hinted);
        assertEquals([status, url, await who()], [303, bye, undefined]);
      });

      it.atUntrusted("M1: asks anyone else, with a warning, and then redirects", async ({ kit, hinted, leave }) => {
        const { browser } = await appSignedIn(kit, { user: "bob" });
        const question = await leave(hinted, browser);
        assertMatch(textOf(question.html), warning);
        assertEquals((await browser.submit(question, "confirm-sign-out")).url, bye);
      });

      it("M1: asks for a client that registered itself where no ID token is needed", async () => {
        const kit = openKit({ logoutConfirmation: "skip" });
        const { client_id } = (await register(kit, { post_logout_redirect_uris: [bye] })).body;
        const { browser } = await signedIn(kit, { scope: "openid" });
        const fields = { client_id, post_logout_redirect_uri: bye };
        const page = await browser.open(logoutUrl(kit, fields));
        assertMatch(page.html, /id="confirm-sign-out"/);
        assertMatch(textOf(page.html), warning);
      });

      it.atUntrusted("L6: warns where it names the client by its client_id alone", async ({ client_id, leave }) => {
        assertMatch(textOf((await leave({ client_id })).html), warning);
      });
    });
  }
});

describe("The question whether to sign out", () => {
  it.atApp("is confirmed only by its own form, in this browser and for the signed-in user", async ({ kit, browser, leave, confirm, who }) => {
    const page = await leave();
    const { form_token } = readForm(page, "confirm-sign-out").hidden;
    assertEquals((await browser.submit(page, "confirm-sign-out", { form_token: "x" })).status, 403);
    const { browser: other } = await appSignedIn(kit, { user: "bob" });
    const body = new URLSearchParams({ form_token: present(form_token) });
    const url = kit.issuer + new URL(page.url).pathname;
    assertEquals((await other.request(url, { method: "POST", body })).status, 403);
    const request = kit.authorizationUrl({ ...appRequest, prompt: "login" });
    await browser.authorize(request, { user: "carol" });
    assertEquals((await confirm(page)).status, 403);
    assertEquals([await who(), await who(other)], ["carol", "bob"]);
  });

  it.atApp("lets one stay", async ({ leave, who }) => {
    assertStringIncludes((await leave()).html, '<a id="stay" class="button secondary" href="/">');
    assertEquals(await who(), "alice");
  });
});

describe("The metadata of logout", () => {
  it("O10 oidcc-rp-initiated-logout-discovery-endpoint-verification: names the endpoint", async () => {
    const { body } = await read(await openKit().get("/.well-known/openid-configuration"));
    assertEquals(body.end_session_endpoint, "https://hallpass.test/oauth2/logout");
  });
});
