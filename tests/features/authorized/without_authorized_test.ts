import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openWithAndWithout } from "../../support/without_feature.ts";

describe("A server without the page at /authorized, for a client whose redirect URI it is", () => {
  it("responds to the client at its redirect URI, where it has no page", async () => {
    const { whole, without } = openWithAndWithout("callback page");
    const callback = await without.browser().authorize(
      without.authorizationUrl({ scope: "openid profile" }),
    );
    assert(new URL(callback).searchParams.has("code"), callback);
    assertEquals((await without.browser().open(callback)).status, 404);
    assertEquals((await whole.browser().open(callback)).status, 200);
  });

  it("starts no flow in the role of the client, nor ends one that was started", async () => {
    const { whole, without } = openWithAndWithout("callback page");
    const start = "/authorized/start?client_id=demo-spa";
    assertEquals((await without.get(start)).status, 404);
    const browser = whole.browser();
    const callback = await browser.authorize(`${whole.issuer}${start}`);
    const { status, html } = await without.browser(browser).open(callback);
    assertEquals([status, html.includes("code-verifier")], [404, false]);
  });
});
