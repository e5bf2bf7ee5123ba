/**
 * Takes the picture in the README from the real page, with Chromium, and stores the page's text
 * beside it. `tests/readme_test.ts` fails if the page has changed since.
 *
 *   deno task pictures
 */
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { openLab } from "../src/lab/open_lab.ts";
import { serve } from "../src/runtime/serve.ts";
import { chromium, type Tab, withChromium } from "../tests/support/chromium.ts";
import { pageText } from "./page_text.ts";
import { pictureTime } from "./picture_time.ts";

/** The port that a newcomer sees. */
const port = 9000;
const issuer = `http://localhost:${port}`;

if (!chromium) throw new Error("Cannot take pictures: there is no Chromium on this machine.");
const lab = openLab({ issuer, now: () => pictureTime });
const listening = await serve(lab, { port });
try {
  await withChromium(takePicture);
} finally {
  await listening.close();
  await lab.close();
}
process.exit(0);

async function takePicture(tab: Tab): Promise<void> {
  await tab.goto(`${issuer}/start?client_id=demo-spa`);
  await tab.type("#username", "alice");
  await tab.type("#password", "alice");
  await tab.click("#sign-in-button");
  await tab.click("#allow");
  await tab.screenshot(".github/authorized.png");
  const html = await tab.evaluate<string>("document.documentElement.outerHTML");
  await writeFile(".github/authorized.txt", pageText(html));
  console.log("Wrote .github/authorized.png and .github/authorized.txt");
}
