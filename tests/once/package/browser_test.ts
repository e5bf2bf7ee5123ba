import { assertEquals, assertMatch } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { bundle } from "../../../scripts/bundle.ts";
import { chromium, withChromium } from "../../support/chromium.ts";
import { listening } from "../../support/in_browser.ts";
import { installPackage } from "../../support/package.ts";

/** What a page of somebody's test does. */
const page = `
import { hallpass } from "hallpass/testing";
globalThis.mint = async () => {
  const lab = await hallpass({ issuer: location.origin });
  const { access_token } = await lab.mint({ sub: "alice" });
  return access_token.split(".").length;
};
globalThis.listen = () => hallpass({ listen: true }).catch(({ message }) => message);
`;

async function bundlePage(): Promise<string> {
  const folder = join(await installPackage(), "in_browser");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "page.js"), page);
  const { outputFiles } = bundle({
    entryPoints: [join(folder, "page.js")],
    platform: "browser",
    format: "iife",
    write: false,
  });
  return outputFiles?.[0]?.text ?? "";
}

describe("hallpass/testing in a browser", () => {
  const skip = chromium ? false : "this machine has no Chromium";

  it("mints tokens, and says that it cannot listen", { skip }, async () => {
    const script = await bundlePage();
    const respond = async () => new Response("", { headers: { "Content-Type": "text/html" } });
    await listening(respond, (origin) =>
      withChromium(async (tab) => {
        await tab.goto(origin);
        await tab.evaluate(script);
        assertEquals(await tab.evaluate("mint()"), 3);
        assertMatch(await tab.evaluate("listen()"), /^Hallpass cannot listen/);
      }));
  });
});
