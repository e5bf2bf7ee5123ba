import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { features } from "../../../src/server/features.ts";
import { ConfigError } from "../../../src/server/mod.ts";
import { createInternalServer } from "../../../src/server/server.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";

describe("A server without other languages, beside one that has them", () => {
  it("refuses languages at the start, English among them", () => {
    const others = features.filter(({ name }) => name !== "languages");
    const config = { issuer: "https://id.example", languages: ["en"] };
    const open = () => createInternalServer(config, others);
    assertThrows(open, ConfigError, "languages is not a setting");
  });

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
