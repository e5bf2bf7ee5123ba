import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { openWithAndWithout } from "../../support/without_feature.ts";

describe("A server without other languages, beside one that has them", () => {
  it("shows pages in English, and advertises no other language", async () => {
    const { whole, without } = openWithAndWithout("languages");
    const url = without.authorizationUrl({ scope: "openid", ui_locales: "ar" });
    const pageOf = async (kit: typeof whole) =>
      (await Object.assign(kit.browser(), { language: "de" }).open(url)).html;
    assertStringIncludes(await pageOf(whole), '<html lang="ar" dir="rtl">');
    assertStringIncludes(await pageOf(without), '<html lang="en" dir="ltr">');
    const metadata = await (await without.get("/.well-known/openid-configuration")).json();
    assertEquals(metadata.ui_locales_supported, ["en"]);
  });
});
