import { assertEquals, assertMatch } from "@std/assert";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { bundle } from "../../../scripts/bundle.ts";
import { chromium, type Tab, withChromium } from "../../support/chromium.ts";
import { type Handler, listening } from "../../support/in_browser.ts";
import { installPackage } from "../../support/package.ts";

const skip = chromium ? false : "this machine has no Chromium";
const folder = "tests/examples/service_worker";
/** Loads the module of the application in a page. */
const app = "import('/app.js')";

/** Bundles the worker with our package, as a site would. */
async function bundleWorker(): Promise<string> {
  const work = join(await installPackage(), "service_worker");
  await mkdir(work, { recursive: true });
  for (const file of ["worker.js", "cookies.js"]) {
    await copyFile(join(folder, file), join(work, file));
  }
  const entryPoints = [join(work, "worker.js")];
  const { outputFiles } = bundle({
    entryPoints,
    platform: "browser",
    format: "iife",
    write: false,
  });
  return outputFiles?.[0]?.text ?? "";
}

/** Serves the files of a site, and nothing else. */
async function createSite(): Promise<Handler> {
  const scripts: Record<string, string> = {
    "/worker.js": await bundleWorker(),
    "/app.js": await readFile(join(folder, "app.js"), "utf8"),
  };
  return async (request) => {
    const { pathname } = new URL(request.url);
    const script = scripts[pathname];
    if (script !== undefined) {
      return new Response(script, { headers: { "Content-Type": "text/javascript" } });
    }
    const isPage = pathname === "/" || pathname === "/callback";
    return new Response("<!doctype html><link rel=icon href=data:,><title>A site</title>", {
      status: isPage ? 200 : 404,
      headers: { "Content-Type": "text/html" },
    });
  };
}

/** Waits until a page has an element. */
async function waitFor(tab: Tab, selector: string): Promise<void> {
  const isThere = `document.querySelector("${selector}") !== null`;
  for (let tries = 0; !await tab.evaluate<boolean>(isThere).catch(() => false); tries++) {
    if (tries === 200) throw new Error(`There is no ${selector}: ${await tab.text("body")}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("In Chromium, a service worker", () => {
  it("is an authorization server: discovery, sign-in, consent, code, token", { skip }, async () => {
    await listening(await createSite(), async (origin) => {
      await withChromium(async (tab) => {
        await tab.goto(`${origin}/`);
        await tab.goto(await tab.evaluate(`${app}.then((app) => app.authorizationUrl())`));
        assertMatch(await tab.url(), /\/id\/oauth2\/interaction\//);
        await tab.type("#username", "alice");
        await tab.type("#password", "wonderland");
        await tab.click("#sign-in-button");
        // Its first clicks are ignored, in case they were meant for another page.
        await waitFor(tab, "#allow[data-guarded]:not([aria-disabled])");
        await tab.click("#allow");
        await tab.arrive(`${origin}/callback?code=`);
        const tokens = await tab.evaluate<Record<string, unknown>>(
          `${app}.then((app) => app.redeem())`,
        );
        assertEquals([tokens.token_type, tokens.scope], ["Bearer", "openid read"]);
        assertEquals(tab.complaints, []);
      });
    });
  });
});
