import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import { type Browser, type Page, readForm, unescape } from "../support/browser.ts";
import { itWith } from "../support/it_with.ts";
import { type Fields, type Kit, openKit } from "../support/kit.ts";
import { firstMatch } from "../support/present.ts";
import { redirectUri, register } from "../support/registration.ts";
import { hasFeature } from "../support/where_feature.ts";

const it = itWith({ inKit: openKit });

const cancel = { decision: "cancel" };

async function open(config: Partial<LabConfig> = {}, changes: Fields = {}) {
  const kit = openKit(config);
  const browser = kit.browser();
  return { kit, browser, page: await browser.open(kit.authorizationUrl(changes)) };
}

/** The page on which an account is chosen. */
async function openSelectAccount(kit: Kit, browser: Browser): Promise<Page> {
  await kit.authorize({}, {}, browser);
  return await browser.open(kit.authorizationUrl({ prompt: "select_account" }));
}

function assertDenied(kit: Kit, callback: string): void {
  const { searchParams } = new URL(callback);
  const told = ["error", "state", "iss", "code"].map((name) => searchParams.get(name));
  assertEquals(told, ["access_denied", "a-state", kit.issuer, null]);
}

describe("The button 'Cancel'", () => {
  it("of the sign-in page reports access_denied to the client, without a password (RFC 6749, section 4.1.2.1)", async () => {
    const { kit, browser, page } = await open();
    assertMatch(
      page.html,
      /<button id="cancel" type="submit" class="secondary" name="decision" value="cancel" formnovalidate>Cancel</,
    );
    const { url, status } = await browser.submit(page, "sign-in", {
      ...cancel,
      username: "",
      password: "",
    });
    assertEquals(status, 303);
    assertDenied(kit, url);
  });

  it.inKit("of the account choice does the same", async (kit) => {
    const browser = kit.browser();
    const page = await openSelectAccount(kit, browser);
    assertStringIncludes(page.html, 'id="cancel"');
    assertDenied(kit, (await browser.submit(page, "select-account", cancel)).url);
  });

  it("responds in the way that the client asked for", async () => {
    const { browser, page } = await open({}, { response_mode: "form_post" });
    const { hidden } = readForm(await browser.submit(page, "sign-in", cancel), "form-post");
    assertEquals([hidden.error, hidden.state], ["access_denied", "a-state"]);
  });

  if (hasFeature("registration")) {
    it.inKit("shows our page with the link where the client is untrusted", async (kit) => {
      const { client_id } = (await register(kit)).body;
      const browser = kit.browser();
      const page = await browser.open(
        kit.authorizationUrl({ client_id, redirect_uri: redirectUri }),
      );
      const { status, html } = await browser.submit(page, "sign-in", cancel);
      assertEquals(status, 403);
      assertDenied(kit, unescape(firstMatch(html, /<a id="onward" href="([^"]*)"/)));
    });
  }

  it("ends the request: neither a reload nor a password goes on with it", async () => {
    const { kit, browser, page } = await open();
    await browser.submit(page, "sign-in", cancel);
    assertEquals((await browser.open(page.url)).status, 400);
    const late = await browser.signIn(page);
    assertEquals(late.status, 400);
    assertEquals(kit.events.some(({ type }) => type === "sign_in.succeeded"), false);
    assert(kit.events.some(({ type }) => type === "request.canceled"));
  });

  it("is no guess at a password, and works for this browser and its form alone", async () => {
    const { kit, browser, page } = await open();
    assertEquals(
      (await browser.submit(page, "sign-in", { ...cancel, form_token: "x" })).status,
      403,
    );
    assertEquals((await kit.browser().submit(page, "sign-in", cancel)).status, 400);
    await browser.submit(page, "sign-in", cancel);
    assert(!kit.events.some(({ type }) => type === "sign_in.failed"));
  });

  it.inKit("is not there where no application waits", async (kit) => {
    assert(!(await kit.browser().open(`${kit.issuer}/account`)).html.includes('id="cancel"'));
  });
});
