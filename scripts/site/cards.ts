import { readFile } from "node:fs/promises";
import { renderToString } from "preact-render-to-string";
import { unescapeHtml } from "../../src/lab/util/html_forms.ts";
import { chromium, withChromium } from "../../tests/support/chromium.ts";
import { type BuiltFile, serveFiles } from "../built_files.ts";
import { Card } from "./pages.tsx";

const size = { width: 1200, height: 630 };

/** Takes a picture for each page, where this machine has a browser. Pages of the site name them. */
export async function takeCards(site: readonly BuiltFile[]): Promise<BuiltFile[]> {
  if (!chromium) {
    console.warn("The pages have no pictures for links to them: there is no Chromium here.");
    return [];
  }
  const [colors = ""] = /^:root [^}]*}/.exec(await readFile("static/style.css", "utf8")) ?? [];
  const style = colors + await readFile("scripts/site/site.css", "utf8");
  const pages = site.filter(({ path }) => path.endsWith(".html"))
    .map(({ path, content }) => ({ path, content: cardOf(String(content), style) }));
  const { port, close } = await serveFiles(pages);
  const cards: BuiltFile[] = [];
  await withChromium(async (tab) => {
    await tab.send("Emulation.setDeviceMetricsOverride", {
      ...size,
      deviceScaleFactor: 1,
      mobile: false,
    });
    for (const { path } of pages) {
      await tab.goto(`http://localhost:${port}/${path}`);
      const { data } = await tab.send("Page.captureScreenshot", {
        clip: { x: 0, y: 0, ...size, scale: 1 },
      });
      const content = Uint8Array.from(atob(String(data)), (character) => character.charCodeAt(0));
      cards.push({ path: `cards/${path.replace(/html$/, "png")}`, content });
    }
  });
  await close();
  return cards;
}

function cardOf(html: string, style: string): string {
  const find = (pattern: RegExp) => unescapeHtml(pattern.exec(html)?.[1] ?? "");
  const title = find(/<title>([^<]*)<\/title>/).replace(/ · .*/, "");
  const description = find(/<meta name="description" content="([^"]*)"/);
  return `<!doctype html>${renderToString(Card({ title, description, style }))}`;
}
