/**
 * Takes the pictures in the README from the real pages, with Chromium, and stores the text of each
 * beside it. `tests/readme_test.ts` fails if a page has changed since.
 *
 *   deno task pictures
 */
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { openLab } from "../src/lab/open_lab.ts";
import { serve } from "../src/runtime/serve.ts";
import { chromium, type Tab, withChromium } from "../tests/support/chromium.ts";
import { lookAt } from "../tests/support/page_quality.ts";
import {
  below,
  openDrilledSite,
  picturedText,
  type pictures,
  pictureTime,
  redeemWithWrongVerifier,
  refusedFlowPath,
} from "./pictured_lab.ts";

/** The port that a newcomer sees. */
const port = 9000;
const issuer = `http://localhost:${port}`;

if (!chromium) throw new Error("Cannot take pictures: there is no Chromium on this machine.");
const lab = openLab({ issuer, now: () => pictureTime });
await takePictures(lab, takePicturesOfFlow);
await lab.close();
await using site = await openDrilledSite();
await takePictures(site, async (tab) => {
  await tab.goto(`${issuer}/lab/drill`);
  await takePicture(tab, "drill");
});
process.exit(0);

async function takePictures(
  server: { fetch(request: Request): Promise<Response> },
  take: (tab: Tab) => Promise<void>,
): Promise<void> {
  const listening = await serve(server, { port });
  try {
    await withChromium(async (tab) => {
      await lookAt(tab, { width: 1100, theme: "light" });
      await take(tab);
    });
  } finally {
    await listening.close();
  }
}

async function takePicturesOfFlow(tab: Tab): Promise<void> {
  await tab.goto(`${issuer}/`);
  await takePicture(tab, "home");
  await tab.goto(`${issuer}/start?client_id=demo-spa`);
  await tab.type("#username", "alice");
  await tab.type("#password", "alice");
  await tab.click("#sign-in-button");
  await tab.click("#allow");
  await takePicture(tab, "authorized");
  await redeemWithWrongVerifier(lab, await tab.url());
  await tab.goto(issuer + refusedFlowPath);
  await takePicture(tab, "refused");
}

async function takePicture(tab: Tab, name: (typeof pictures)[number]): Promise<void> {
  await tab.screenshot(`.github/${name}.png`, below[name]);
  await writeFile(`.github/${name}.txt`, picturedText(name, await tab.html()));
  console.log(`Wrote .github/${name}.png and .github/${name}.txt`);
}
