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
  pageText,
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
const listening = await serve(lab, { port });
try {
  await withChromium(takePictures);
} finally {
  await listening.close();
  await lab.close();
}
process.exit(0);

async function takePictures(tab: Tab): Promise<void> {
  await lookAt(tab, { width: 1100, theme: "light" });
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
  await tab.screenshot(`.github/${name}.png`);
  await writeFile(`.github/${name}.txt`, pageText(await tab.html()));
  console.log(`Wrote .github/${name}.png and .github/${name}.txt`);
}
