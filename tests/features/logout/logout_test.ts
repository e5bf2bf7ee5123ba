import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeProtectedHeader, SignJWT } from "jose";
import { describe } from "node:test";
import type { ClientConfig } from "../../../src/server/features.ts";
import { type Browser, readForm, textOf, type UserActions } from "../../support/browser.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { itWith } from "../../support/it_with.ts";
import { claimsOf, type Fields, type Kit, openKit, read } from "../../support/kit.ts";
import { logoutUrl, signedIn, whoIsSignedIn } from "../../support/logout.ts";
import { present } from "../../support/present.ts";
import { redirectUri, register } from "../../support/registration.ts";
import { hasFeature } from "../../support/where_feature.ts";

const it = itWith({ inKit: openAppKit });

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

function appSignedIn(kit: Kit, actions?: UserActions, browser?: Browser) {
  const request = { client_id: "app", redirect_uri: "https://app.example/cb", scope: "openid" };
  return signedIn(kit, request, actions, browser);
}

describe("Logout by a client (OpenID Connect RP-Initiated Logout)", () => {
  it("needs exact URIs with https in the configuration", () => {
    const postLogoutRedirectUris = ["https://*.example/bye", "http://a.example/bye"];
    const clients = [{ ...app, postLogoutRedirectUris }];
    assertEquals(problemsOf({ issuer: "https://id.example", clients }), [
      "clients[0].postLogoutRedirectUris[0] contains a wildcard; only exact URIs can be registered",
      "clients[0].postLogoutRedirectUris[1] uses http with the host 'a.example', which is not loopback",
    ]);
  });

  it.inKit("O13 oidcc-rp-initiated-logout: signs out and returns with the state, and then prompt=none fails", async (kit) => {
    const { browser, idToken } = await appSignedIn(kit);
    const state = "a b&c=d+é%\n";
    const page = await browser.open(
      logoutUrl(kit, { id_token_hint: idToken, post_logout_redirect_uri: bye, state }),
    );
    assertEquals([page.status, page.url], [303, `${bye}?state=a%20b%26c%3Dd%2B%C3%A9%25%0A`]);
    const silent = await browser.open(
      kit.authorizationUrl({
        client_id: "app",
        redirect_uri: "https://app.example/cb",
        scope: "openid",
        prompt: "none",
      }),
    );
    assertMatch(silent.url, /error=login_required/);
  });

  it("O13 oidcc-rp-initiated-logout-no-state: returns without a state, to a URI with a query as it is", async () => {
    for (const uri of app.postLogoutRedirectUris!) {
      const kit = openAppKit();
      const { browser, idToken } = await appSignedIn(kit);
      const page = await browser.open(
        logoutUrl(kit, { id_token_hint: idToken, post_logout_redirect_uri: uri }),
      );
      assertEquals([page.status, page.url], [303, uri]);
    }
  });

  it.inKit("O13 takes a hint that has expired, as long as its session lasts", async (kit) => {
    const { browser, idToken } = await appSignedIn(kit);
    kit.clock.advance(20 * 3600);
    assertEquals(
      (await browser.open(
        logoutUrl(kit, { id_token_hint: idToken, post_logout_redirect_uri: bye }),
      )).url,
      bye,
    );
    assertEquals(await whoIsSignedIn(kit, browser), undefined);
  });

  for (const fields of [{}, { state: "s" }]) {
    const what = "state" in fields ? "only-state" : "no-params";
    it.inKit(`O13 oidcc-rp-initiated-logout-${what}: asks, signs out and shows our page`, async (kit) => {
      const { browser } = await appSignedIn(kit);
      const question = await browser.open(logoutUrl(kit, fields));
      assertMatch(textOf(question.html), /Signed in as Alice Adler alice@example\.com/);
      assertEquals(await whoIsSignedIn(kit, browser), "alice");
      const page = await browser.submit(question, "confirm-sign-out");
      assertEquals(page.status, 200);
      assertEquals(/You are signed out/.test(page.html), true);
      assertEquals(/id="continue"/.test(page.html), false);
      assertEquals(await whoIsSignedIn(kit, browser), undefined);
      assertEquals((await browser.submit(question, "confirm-sign-out")).status, 200);
    });
  }

  it.inKit("O13 oidcc-rp-initiated-logout-no-post-logout-redirect-uri: signs out and shows our page", async (kit) => {
    const { browser, idToken } = await appSignedIn(kit);
    const page = await browser.open(logoutUrl(kit, { id_token_hint: idToken, state: "s" }));
    assertEquals([page.status, /You are signed out/.test(page.html)], [200, true]);
    assertEquals(await whoIsSignedIn(kit, browser), undefined);
  });

  const doubtful: Record<string, [fieldsOf: (idToken: string) => Fields, message: RegExp]> = {
    "oidcc-rp-initiated-logout-modified-id-token-hint": [(hint) => ({
      id_token_hint: `${btoa('{"alg":"none","typ":"JWT"}').replaceAll("=", "")}.${
        hint.split(".")[1]
      }.`,
      post_logout_redirect_uri: bye,
    }), /must be an ID token that this server issued/],
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
    it.inKit(`O13 shows an error, does not redirect and ends no session: ${what}`, async (kit) => {
      const { browser, idToken } = await appSignedIn(kit);
      const page = await browser.open(logoutUrl(kit, fieldsOf(idToken)));
      assertEquals([page.status, page.headers.get("Location")], [400, null]);
      assertMatch(textOf(page.html), message);
      assertEquals(await whoIsSignedIn(kit, browser), "alice");
    });
  }

  const dropped: Record<
    string,
    [uri: string, fieldsOf: (idToken: string) => Fields, reason: RegExp]
  > = {
    "oidcc-rp-initiated-logout-bad-post-logout-redirect-uri": [
      "https://app.example/other",
      (hint) => ({ id_token_hint: hint }),
      /it is not registered; registered: https:\/\/app\.example\/bye /,
    ],
    "oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri": [
      `${bye}?x=y`,
      (hint) => ({ id_token_hint: hint }),
      /it is not registered/,
    ],
    "oidcc-rp-initiated-logout-no-id-token-hint": [
      bye,
      () => ({}),
      /it needs an id_token_hint or a client_id/,
    ],
    "the redirect URI of another client": [
      "http://127.0.0.1/bye",
      (hint) => ({ id_token_hint: hint }),
      /it is not registered/,
    ],
    "another port for a client that is not native": [
      "https://app.example:444/bye",
      () => ({ client_id: "app" }),
      /it is not registered/,
    ],
    "a script": [
      "javascript:alert(1)",
      (hint) => ({ id_token_hint: hint, state: "s" }),
      /it is not registered/,
    ],
  };
  for (const [what, [post_logout_redirect_uri, fieldsOf, reason]] of Object.entries(dropped)) {
    it.inKit(`O13 asks, drops the address and explains it in a lab: ${what}`, async (kit) => {
      const { browser, idToken } = await appSignedIn(kit);
      const question = await browser.open(
        logoutUrl(kit, { ...fieldsOf(idToken), post_logout_redirect_uri }),
      );
      assertMatch(textOf(question.html), reason);
      assertEquals([question.status, await whoIsSignedIn(kit, browser)], [200, "alice"]);
      const page = await browser.submit(question, "confirm-sign-out");
      assertEquals(page.status, 200);
      assertEquals(page.html.includes('href="http'), false);
      assertEquals(page.html.includes('href="javascript'), false);
      assertMatch(textOf(page.html), reason);
      assertEquals(await whoIsSignedIn(kit, browser), undefined);
    });
  }

  it("O13 drops the address without an explanation outside a lab", async () => {
    const kit = openKit({ clients: [app, cli], hints: false });
    const { browser } = await appSignedIn(kit);
    const question = await browser.open(
      logoutUrl(kit, { post_logout_redirect_uri: "https://evil.example/" }),
    );
    assertMatch(question.html, /id="confirm-sign-out"/);
    assert(!question.html.includes("evil.example"));
    assert(!(await browser.submit(question, "confirm-sign-out")).html.includes("evil.example"));
  });

  it.inKit("O13 shows our page, without a link, if no user is signed in and the address is dropped", async (kit) => {
    const page = await kit.browser().open(
      logoutUrl(kit, { post_logout_redirect_uri: "https://evil.example/", client_id: "app" }),
    );
    assertEquals([page.status, page.html.includes('href="https:')], [200, false]);
    assertMatch(textOf(page.html), /You are signed out/);
  });

  it.inKit("O13 oidcc-rp-initiated-logout-bad-id-token-hint: rejects a hint that another party signed", async (kit) => {
    const { browser, idToken } = await appSignedIn(kit);
    const { privateKey } = await crypto.subtle.generateKey(
      { name: "ECDSA", namedCurve: "P-256" },
      false,
      ["sign"],
    ) as CryptoKeyPair;
    const kid = present(decodeProtectedHeader(idToken).kid);
    const foreign = await new SignJWT(claimsOf(idToken)).setProtectedHeader({
      alg: "ES256",
      kid,
      typ: "JWT",
    }).sign(privateKey);
    assertEquals(
      (await browser.open(
        logoutUrl(kit, { id_token_hint: foreign, post_logout_redirect_uri: bye }),
      )).status,
      400,
    );
    assertEquals(await whoIsSignedIn(kit, browser), "alice");
  });

  it.inKit("O13 asks when the hint is of another user or session, and then returns", async (kit) => {
    const { idToken } = await appSignedIn(kit);
    for (const user of ["bob", "alice"]) {
      const { browser } = await appSignedIn(kit, { user });
      const page = await browser.open(
        logoutUrl(kit, { id_token_hint: idToken, post_logout_redirect_uri: bye, state: "s" }),
      );
      assertMatch(
        textOf(page.html),
        new RegExp(`You come from The app Signed in as .* ${user}@example\\.com `),
      );
      assertEquals((await browser.submit(page, "confirm-sign-out")).url, `${bye}?state=s`);
      assertEquals(await whoIsSignedIn(kit, browser), undefined);
    }
  });

  it.inKit("O13 asks when there is a client_id alone, and then returns", async (kit) => {
    const { browser } = await appSignedIn(kit);
    const page = await browser.open(
      logoutUrl(kit, { client_id: "app", post_logout_redirect_uri: bye }),
    );
    assertEquals((await browser.submit(page, "confirm-sign-out")).url, bye);
  });

  it.inKit("O13 returns at once when no user is signed in and the hint is good; a client_id alone gets a link", async (kit) => {
    const { browser, idToken } = await appSignedIn(kit);
    const fields = { id_token_hint: idToken, post_logout_redirect_uri: bye };
    await browser.open(logoutUrl(kit, fields));
    assertEquals((await browser.open(logoutUrl(kit, fields))).url, bye);
    const page = await browser.open(
      logoutUrl(kit, { client_id: "app", post_logout_redirect_uri: bye, state: "s" }),
    );
    assertEquals(page.status, 200);
    assertStringIncludes(
      page.html,
      `<a id="continue" class="button" href="${bye}?state=s">Continue to <bdi>The app</bdi></a>`,
    );
  });

  it.inKit("O13 works by POST, which brings no cookie from another site", async (kit) => {
    const { browser, idToken } = await appSignedIn(kit);
    const fields = {
      id_token_hint: idToken,
      post_logout_redirect_uri: bye,
      state: "s",
      ui_locales: "de",
      logout_hint: "alice",
    };
    const posted = await kit.post("/oauth2/logout", fields);
    assertEquals(posted.status, 303);
    assertEquals(
      (await browser.open(kit.issuer + posted.headers.get("Location"))).url,
      `${bye}?state=s`,
    );
    assertEquals(await whoIsSignedIn(kit, browser), undefined);
    const evil = await kit.post("/oauth2/logout", {
      ...fields,
      post_logout_redirect_uri: "https://evil.example/",
    });
    assertMatch(evil.headers.get("Location")!, /^\/oauth2\/logout\//);
  });

  it.inKit("O13 A11 lets a native client listen on any port", async (kit) => {
    const { browser, idToken } = await signedIn(kit, {
      client_id: "cli",
      redirect_uri: "http://127.0.0.1:4711/cb",
      scope: "openid",
    });
    const uri = "http://127.0.0.1:4712/bye";
    assertEquals(
      (await browser.open(
        logoutUrl(kit, { id_token_hint: idToken, post_logout_redirect_uri: uri }),
      )).url,
      uri,
    );
  });

  it.inKit("forgets a request that waits longer than an hour", async (kit) => {
    const { browser } = await appSignedIn(kit);
    const page = await browser.open(
      logoutUrl(kit, { client_id: "app", post_logout_redirect_uri: bye }),
    );
    kit.clock.advance(3600);
    assertEquals((await browser.submit(page, "confirm-sign-out")).status, 400);
    assertEquals(await whoIsSignedIn(kit, browser), "alice");
  });

  it.inKit("leads to no address that its client has lost in the meantime", async (kit) => {
    const { records, settings } = kit.server.context;
    const client = { ...await settings.clients.get("app")!(), id: "late" };
    await records.clients.put("late", client, 8.64e15);
    const { browser } = await appSignedIn(kit);
    const page = await browser.open(
      logoutUrl(kit, { client_id: "late", post_logout_redirect_uri: bye }),
    );
    const changed = { ...client, ...{ postLogoutRedirectUris: [] } };
    await records.clients.put("late", changed, 8.64e15);
    const { status, html } = await browser.submit(page, "confirm-sign-out");
    assertEquals([status, html.includes(`href="${bye}`), await whoIsSignedIn(kit, browser)], [
      200,
      false,
      undefined,
    ]);
  });

  if (hasFeature("registration")) {
    describe("of an untrusted client", () => {
      const postLogoutRedirectUris = ["https://app.example/bye"];
      const metadata = {
        client_name: "Honest App",
        post_logout_redirect_uris: postLogoutRedirectUris,
      };

      /** A user who is signed in at a client that registered itself, and an ID token of it. */
      async function signedInAtUntrusted(user?: { user: string }) {
        const kit = openAppKit();
        const { client_id } = (await register(kit, metadata)).body;
        const request = { client_id, redirect_uri: redirectUri, scope: "openid" };
        return { kit, client_id, ...await signedIn(kit, request, user) };
      }

      const warning = /registered itself\. Its identity is not verified\./;

      it("M1: does not redirect a browser without a session, with any hint", async () => {
        const { kit, idToken } = await signedInAtUntrusted();
        const page = await kit.browser().open(
          logoutUrl(kit, { id_token_hint: idToken, post_logout_redirect_uri: bye, state: "s" }),
        );
        assertEquals([page.status, page.headers.get("Location")], [200, null]);
        assertStringIncludes(page.html, `<a id="continue" class="button" href="${bye}?state=s">`);
        assertMatch(textOf(page.html), warning);
        assertMatch(textOf(page.html), /The button leads to https:\/\/app\.example\/bye/);
      });

      it("M1: does not redirect after the session of the hint has ended, nor by script", async () => {
        const { kit, browser, idToken } = await signedInAtUntrusted();
        const url = logoutUrl(kit, { id_token_hint: idToken, post_logout_redirect_uri: bye });
        assertEquals((await browser.open(url)).url, bye);
        const again = await browser.open(url);
        assertEquals([again.status, again.html.includes("<script")], [200, false]);
      });

      it("M1: redirects where the hint is of the very session that ends", async () => {
        const { kit, browser, idToken } = await signedInAtUntrusted();
        const page = await browser.open(
          logoutUrl(kit, { id_token_hint: idToken, post_logout_redirect_uri: bye }),
        );
        assertEquals(page.status, 303);
        assertEquals(page.url, bye);
        assertEquals(await whoIsSignedIn(kit, browser), undefined);
      });

      it("M1: asks anyone else, with a warning, and then redirects", async () => {
        const { kit, idToken } = await signedInAtUntrusted();
        const { browser } = await appSignedIn(kit, { user: "bob" });
        const question = await browser.open(
          logoutUrl(kit, { id_token_hint: idToken, post_logout_redirect_uri: bye }),
        );
        assertMatch(textOf(question.html), warning);
        assertEquals((await browser.submit(question, "confirm-sign-out")).url, bye);
      });

      it("L6: warns where it names the client by its client_id alone", async () => {
        const { kit, browser, client_id } = await signedInAtUntrusted();
        assertMatch(textOf((await browser.open(logoutUrl(kit, { client_id }))).html), warning);
      });
    });
  }
});

describe("The question whether to sign out", () => {
  it.inKit("is confirmed only by its own form, in this browser and for the signed-in user", async (kit) => {
    const { browser } = await appSignedIn(kit);
    const page = await browser.open(logoutUrl(kit));
    const { form_token } = readForm(page, "confirm-sign-out").hidden;
    const handle = new URL(page.url).pathname;
    assertEquals((await browser.submit(page, "confirm-sign-out", { form_token: "x" })).status, 403);
    const other = await appSignedIn(kit, { user: "bob" });
    const form = new URLSearchParams({ form_token: present(form_token) });
    assertEquals(
      (await other.browser.request(kit.issuer + handle, { method: "POST", body: form })).status,
      403,
    );
    const request = {
      client_id: "app",
      redirect_uri: "https://app.example/cb",
      scope: "openid",
      prompt: "login",
    };
    await browser.authorize(kit.authorizationUrl(request), { user: "carol" });
    assertEquals((await browser.submit(page, "confirm-sign-out")).status, 403);
    assertEquals(await whoIsSignedIn(kit, browser), "carol");
    assertEquals(await whoIsSignedIn(kit, other.browser), "bob");
  });

  it.inKit("lets one stay", async (kit) => {
    const { browser } = await appSignedIn(kit);
    assertStringIncludes(
      (await browser.open(logoutUrl(kit))).html,
      '<a id="stay" class="button secondary" href="/">',
    );
    assertEquals(await whoIsSignedIn(kit, browser), "alice");
  });
});

describe("The metadata of logout", () => {
  it("O10 names the endpoint", async () => {
    const { body } = await read(await openKit().get("/.well-known/openid-configuration"));
    assertEquals(body.end_session_endpoint, "https://hallpass.test/oauth2/logout");
  });
});
