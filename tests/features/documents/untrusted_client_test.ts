import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { type Page, readForm, textOf, unescape } from "../../support/browser.ts";
import { itWith } from "../../support/it_with.ts";
import { type Fields, openKit } from "../../support/kit.ts";
import { firstMatch } from "../../support/present.ts";
import { redirectUri, register } from "../../support/registration.ts";
import { described, documentUrl, openAs, openDocuments, openWeb } from "./document_kit.ts";

type Kind = "registered itself" | "is described by a document";

const it = itWith({ inStrictOrder: () => openKit({ errorsAfterSignIn: true }) });

/** Opens a lab with a client that its operator does not know. */
async function openStranger(kind: Kind, metadata: object = {}) {
  const kit = openDocuments({}, openWeb(described({ client_name: "Honest App", ...metadata })));
  const id = kind === "registered itself"
    ? (await register(kit, { client_name: "Honest App", ...metadata })).body.client_id as string
    : documentUrl;
  const open = (changes?: Fields, browser = kit.browser()) => openAs(kit, id, changes, browser);

  /** Opens the consent page, and signs in before if that is asked. */
  async function openConsent(changes?: Fields, browser = kit.browser()): Promise<Page> {
    const page = await open(changes, browser);
    return page.html.includes('id="sign-in"') ? await browser.signIn(page) : page;
  }
  return { kit, open, openConsent };
}

function onwardOf({ html }: Page): URL {
  return new URL(unescape(firstMatch(html, /<a id="onward" href="([^"]*)"/)));
}

for (const kind of ["registered itself", "is described by a document"] as const) {
  describe(`A client that ${kind}`, () => {
    const mistakes: Fields[] = [
      { scope: "everything" },
      { response_type: "token" },
      { code_challenge: undefined },
      { prompt: "none" },
    ];
    for (const changes of mistakes) {
      const [name = ""] = Object.keys(changes);
      it(`A33 B19: its mistake in ${name} is shown here, with a link to continue, and without a redirect`, async () => {
        const { kit, open } = await openStranger(kind);
        const page = await open(changes);
        assertEquals([page.status === 303, page.headers.get("Location")], [false, null]);
        assertStringIncludes(page.html, "Continue to <bdi>app.example</bdi>");
        const { origin, searchParams } = onwardOf(page);
        assertEquals(origin, "https://app.example");
        assertEquals([searchParams.get("state"), searchParams.get("iss")], ["a-state", kit.issuer]);
        assert(searchParams.get("error"));
      });
    }

    it("A33: learns of a refusal through the user's own click", async () => {
      const { kit, openConsent } = await openStranger(kind);
      const browser = kit.browser();
      const denied = await browser.decide(await openConsent({}, browser), "deny");
      assertEquals(denied.status, 403);
      assertEquals(onwardOf(denied).searchParams.get("error"), "access_denied");
    });

    it("gets the error by POST, if it wants it so", async () => {
      const { kit, open } = await openStranger(kind);
      const page = await open({ response_mode: "form_post", scope: "everything" });
      const { action, hidden } = readForm(page, "onward");
      assertEquals([action, hidden.error, hidden.iss], [redirectUri, "invalid_scope", kit.issuer]);
      assertMatch(page.headers.get("Content-Security-Policy")!, /script-src 'none'/);
    });

    it("A38 CVE-2026-101062 CVE-2026-54618: is asked about each time, and never let through in silence", async () => {
      const { kit, open, openConsent } = await openStranger(kind);
      const browser = kit.browser();
      for (let time = 0; time < 2; time++) {
        const page = await openConsent({}, browser);
        assertStringIncludes(page.html, 'id="consent"');
        assertEquals((await browser.decide(page)).status, 303);
      }
      assertStringIncludes((await open({ prompt: "none" }, browser)).html, "consent_required");
    });

    it("A38: is shown with its verified host, whatever name it chooses", async () => {
      const claimed = { client_name: "Your Bank", client_uri: "https://bank.example/" };
      const { html } = await (await openStranger(kind, claimed)).openConsent();
      const words = textOf(firstMatch(html, /(<p class="alert" id="stranger">.*?<\/p>)/s));
      const described = /describes itself at app\.example/;
      assertMatch(words, kind === "registered itself" ? /registered itself/ : described);
      assertMatch(words, /Its identity is not verified\. What you allow is sent to app\.example/);
      assert(!words.includes("bank.example"));
    });

    it("A38: is shown with a program on this device as the receiver", async () => {
      const stranger = await openStranger(kind, { redirect_uris: ["http://127.0.0.1/cb"] });
      const page = await stranger.openConsent({ redirect_uri: "http://127.0.0.1:4711/cb" });
      assertMatch(textOf(page.html), /is sent to a program on this device/);
    });

    it("oidcc-registration-logo-uri -policy-uri -tos-uri: is shown with links, and loads nothing", async () => {
      const links = {
        logo_uri: "https://app.example/logo.png",
        policy_uri: "https://app.example/p",
        tos_uri: "https://app.example/t",
      };
      const { html, headers } = await (await openStranger(kind, links)).openConsent();
      for (const href of Object.values(links)) {
        assertStringIncludes(html, `<a href="${href}" target="_blank" rel="noopener noreferrer">`);
      }
      assert(!html.includes('<img src="https://'));
      assertMatch(headers.get("Content-Security-Policy")!, /img-src 'self'/);
    });

    it("cannot write into a page", async () => {
      const stranger = await openStranger(kind, { client_name: "<script>alert(1)</script>" });
      assert(!(await stranger.openConsent()).html.includes("<script>alert"));
    });
  });
}

describe("A client of the configuration", () => {
  it("learns of a mistake at once", async () => {
    assertEquals((await openKit().ask({ scope: "everything" })).status, 303);
  });

  it.inStrictOrder("B19: learns of it only if a user is signed in, if the operator wants it so", async (kit) => {
    const browser = kit.browser();
    const wrong = kit.authorizationUrl({ scope: "everything" });
    const page = await browser.open(wrong);
    assertEquals([page.status, onwardOf(page).searchParams.get("error")], [400, "invalid_scope"]);
    await kit.authorize({}, {}, browser);
    assertEquals((await browser.open(wrong)).status, 303);
  });

  it.inStrictOrder("B19: learns of it without a page with prompt=none", async (kit) => {
    const { url } = await kit.browser().open(kit.authorizationUrl({ prompt: "none" }));
    assertEquals(new URL(url).searchParams.get("error"), "login_required");
  });
});
