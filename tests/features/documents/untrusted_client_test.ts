import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { type Browser, type Page, readForm, textOf, unescape } from "../../support/browser.ts";
import { type Fields, type Kit, openKit, read } from "../../support/kit.ts";
import { firstMatch } from "../../support/present.ts";

const documentUrl = "https://app.example/client.json";
const redirect_uri = "https://app.example/cb";

/** A lab with a client that registered itself, and one that a document describes. */
async function openStrangers(
  metadata: Record<string, unknown> = {},
  config: Partial<LabConfig> = {},
) {
  const said = {
    redirect_uris: [redirect_uri],
    token_endpoint_auth_method: "none",
    client_name: "Honest App",
    ...metadata,
  };
  const kit = openKit({
    fetchUntrusted: async () => Response.json({ client_id: documentUrl, ...said }),
    ...config,
  });
  const headers = { "Content-Type": "application/json" };
  const response = await kit.request("/oauth2/register", {
    method: "POST",
    headers,
    body: JSON.stringify(said),
  });
  return { kit, registered: (await read(response)).body.client_id as string };
}

function open(
  kit: Kit,
  client_id: string,
  changes: Fields = {},
  browser: Browser = kit.browser(),
): Promise<Page> {
  return browser.open(kit.authorizationUrl({ client_id, redirect_uri, ...changes }));
}

async function openConsent(
  kit: Kit,
  client_id: string,
  changes: Fields = {},
  browser = kit.browser(),
): Promise<Page> {
  const page = await open(kit, client_id, changes, browser);
  return page.html.includes('id="sign-in"') ? await browser.signIn(page) : page;
}

function onwardOf({ html }: Page): URL {
  return new URL(unescape(firstMatch(html, /<a id="onward" href="([^"]*)"/)));
}

for (const kind of ["registered itself", "is described by a document"] as const) {
  const openStranger = async (metadata?: Record<string, unknown>, config?: Partial<LabConfig>) => {
    const { kit, registered } = await openStrangers(metadata, config);
    return { kit, id: kind === "registered itself" ? registered : documentUrl };
  };

  describe(`A client that ${kind}`, () => {
    it("A33 B19: its mistakes are shown here, with a link to continue, and without a redirect", async () => {
      const { kit, id } = await openStranger();
      for (
        const changes of [{ scope: "everything" }, { response_type: "token" }, {
          code_challenge: undefined,
        }, { prompt: "none" }]
      ) {
        const page = await open(kit, id, changes);
        assertEquals([page.status === 303, page.headers.get("Location")], [false, null]);
        assertStringIncludes(page.html, "Continue to <bdi>app.example</bdi>");
        const { origin, searchParams } = onwardOf(page);
        assertEquals([origin, searchParams.get("state"), searchParams.get("iss")], [
          "https://app.example",
          "a-state",
          kit.issuer,
        ]);
        assert(searchParams.get("error"));
      }
    });

    it("A33: learns of a refusal through the user's own click", async () => {
      const { kit, id } = await openStranger();
      const browser = kit.browser();
      const denied = await browser.decide(await openConsent(kit, id, {}, browser), "deny");
      assertEquals([denied.status, onwardOf(denied).searchParams.get("error")], [
        403,
        "access_denied",
      ]);
    });

    it("gets the error by POST, if it wants it so", async () => {
      const { kit, id } = await openStranger();
      const page = await open(kit, id, { response_mode: "form_post", scope: "everything" });
      const { action, hidden } = readForm(page, "onward");
      assertEquals([action, hidden.error, hidden.iss], [redirect_uri, "invalid_scope", kit.issuer]);
      assertMatch(page.headers.get("Content-Security-Policy")!, /script-src 'none'/);
    });

    it("A38 CVE-2026-101062 CVE-2026-54618: is asked about each time, and never let through in silence", async () => {
      const { kit, id } = await openStranger();
      const browser = kit.browser();
      for (let time = 0; time < 2; time++) {
        const page = await openConsent(kit, id, {}, browser);
        assertStringIncludes(page.html, 'id="consent"');
        assertEquals((await browser.decide(page)).status, 303);
      }
      assertStringIncludes(
        (await open(kit, id, { prompt: "none" }, browser)).html,
        "consent_required",
      );
    });

    it("A38: is shown with its verified host, whatever name it chooses", async () => {
      const { kit, id } = await openStranger({
        client_name: "Your Bank",
        client_uri: "https://bank.example/",
      });
      const words = textOf(
        /<p class="alert" id="stranger">.*?<\/p>/s.exec((await openConsent(kit, id)).html)![0],
      );
      assertMatch(
        words,
        kind === "registered itself" ? /registered itself/ : /describes itself at app\.example/,
      );
      assertMatch(words, /Its identity is not verified\. What you allow is sent to app\.example/);
      assert(!words.includes("bank.example"));
    });

    it("A38: is shown with a program on this device as the receiver", async () => {
      const { kit, id } = await openStranger({ redirect_uris: ["http://127.0.0.1/cb"] });
      const { html } = await openConsent(kit, id, { redirect_uri: "http://127.0.0.1:4711/cb" });
      assertMatch(textOf(html), /is sent to a program on this device/);
    });

    it("oidcc-registration-logo-uri -policy-uri -tos-uri: is shown with links, and loads nothing", async () => {
      const links = {
        logo_uri: "https://app.example/logo.png",
        policy_uri: "https://app.example/p",
        tos_uri: "https://app.example/t",
      };
      const { kit, id } = await openStranger(links);
      const { html, headers } = await openConsent(kit, id);
      for (const href of Object.values(links)) {
        assertStringIncludes(html, `<a href="${href}" target="_blank" rel="noopener noreferrer">`);
      }
      assert(!html.includes('<img src="https://'));
      assertMatch(headers.get("Content-Security-Policy")!, /img-src 'self'/);
    });

    it("cannot write into a page", async () => {
      const { kit, id } = await openStranger({ client_name: "<script>alert(1)</script>" });
      assert(!(await openConsent(kit, id)).html.includes("<script>alert"));
    });
  });
}

describe("A client of the configuration", () => {
  it("learns of a mistake at once", async () => {
    const kit = openKit();
    assertEquals(
      (await kit.browser().open(kit.authorizationUrl({ scope: "everything" }))).status,
      303,
    );
  });

  it("B19: learns of it only if a user is signed in, if the operator wants it so", async () => {
    const kit = openKit({ errorsAfterSignIn: true });
    const browser = kit.browser();
    const wrong = kit.authorizationUrl({ scope: "everything" });
    const page = await browser.open(wrong);
    assertEquals([page.status, onwardOf(page).searchParams.get("error")], [400, "invalid_scope"]);
    await kit.authorize({}, {}, browser);
    assertEquals((await browser.open(wrong)).status, 303);
  });

  it("B19: learns of it without a page with prompt=none", async () => {
    const kit = openKit({ errorsAfterSignIn: true });
    const callback = new URL(
      (await kit.browser().open(kit.authorizationUrl({ prompt: "none" }))).url,
    );
    assertEquals(callback.searchParams.get("error"), "login_required");
  });
});
