import { assert, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { openKit } from "../../support/kit.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";

describe("The account page for a user who reads another language", () => {
  it("has dates as they are written in it", async () => {
    const kit = openKit();
    const browser = Object.assign(kit.browser(), { language: "de" });
    await browser.authorize(kit.authorizationUrl());
    const { html } = await browser.open(`${kit.issuer}/account`);
    assert(html.includes("Ihr Konto"));
    assertMatch(html, /Seit dem <time datetime="2026-01-01">1. Januar 2026<\/time>/);
  });

  it("is in English on a server without other languages", async () => {
    const { without } = openWithAndWithout("languages");
    const browser = Object.assign(without.browser(), { language: "de" });
    await browser.authorize(without.authorizationUrl({ scope: "openid" }));
    const { html } = await browser.open(`${without.issuer}/account`);
    assertStringIncludes(html, "Where you are signed in");
  });
});
