import { assertEquals, assertMatch } from "@std/assert";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { chromium, type Tab, withChromium } from "../../support/chromium.ts";
import { flowCode, redeemIn, refreshIn } from "../../support/lab_flow.ts";
import { everyLook, problemsOf } from "./page_problems.ts";

const skip = chromium ? false : "this machine has no Chromium";
const hostile = `"><script>document.title = "ran"</script><img src=x onerror="alert(1)">`;

/** Plays a flow with strange values, and opens its file from the disk. */
async function openSaved(act: (tab: Tab, lab: Lab) => Promise<void>): Promise<void> {
  const lab = openLab({ issuer: "http://localhost:9000" });
  const code = await flowCode(lab, { state: hostile, nonce: "n".repeat(300) });
  const { refresh_token } = await redeemIn(lab, code, { [hostile]: hostile });
  await refreshIn(lab, refresh_token);
  await refreshIn(lab, refresh_token);
  const file = join(tmpdir(), `hallpass-${crypto.randomUUID()}.html`);
  await writeFile(file, await lab.exportFlow("flow-1"));
  try {
    await withChromium(async (tab) => {
      await tab.goto(pathToFileURL(file).href);
      await act(tab, lab);
    });
  } finally {
    await rm(file);
    await lab.close();
  }
}

describe("In Chromium, the file of a flow", () => {
  it("opens from the disk, is styled, and breaks nothing of its own policy", { skip }, async () => {
    await openSaved(async (tab) => {
      assertEquals(tab.complaints, []);
      assertMatch(await tab.evaluate("document.title"), /^alice → demo-spa, \d\d:\d\d: Revoked/);
      const radius = "getComputedStyle(document.querySelector('.panel')).borderRadius";
      assertEquals(await tab.evaluate(radius), "12px");
      const link = await tab.evaluate<string>(
        "document.querySelector('.sequence a').getAttribute('href')",
      );
      assertEquals(await tab.evaluate(`document.querySelector('${link}') !== null`), true);
    });
  });

  it("is accessible and fits at every width, whatever clients send", { skip }, async () => {
    await openSaved(async (tab) => assertEquals(await problemsOf(tab, everyLook), []));
  });

  it("prints what failed and what was sent, and leaves out what passed", { skip }, async () => {
    await openSaved(async (tab) => {
      await tab.send("Emulation.setEmulatedMedia", { media: "print" });
      const isShown = (selector: string) =>
        tab.evaluate(`document.querySelector('${selector}').checkVisibility()`);
      assertEquals(
        await Promise.all([".refusal", ".parameters", ".passed > summary"].map(isShown)),
        [true, true, true],
      );
      assertEquals(await Promise.all([".curl", ".passed > ul"].map(isShown)), [false, false]);
    });
  });
});
