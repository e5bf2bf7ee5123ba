import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { vetToBadge } from "../../../src/lab/vet/formats/vet_badge.ts";
import { vetToHtml } from "../../../src/lab/vet/formats/vet_page.tsx";
import type { VetOutcome } from "../../../src/lab/vet/vet_result.ts";
import { decideVet } from "../../../src/lab/vet/vet_verdict.ts";
import { chromium, withChromium } from "../../support/chromium.ts";
import { listening } from "../../support/in_browser.ts";
import { vetResult } from "../../support/vet_result.ts";
import { everyLook, problemsOf } from "./page_problems.ts";

const skip = chromium ? false : "this machine has no Chromium";

const kinds: ReadonlyArray<VetOutcome["outcome"]> = [
  "noticed",
  "accepted",
  "refused",
  "unmet",
  "unstable",
];

let next = 0;
const result = vetResult(() => ({
  outcome: kinds[next++ % kinds.length] ?? "unmet",
  reason: "The client stopped: 'token authorization_code' 0 instead of 1 times.",
  tests: ["login <script>alert(1)</script>", "a_name_without_spaces_".repeat(8), "c", "d"],
}));

async function openPage(): Promise<Response> {
  const html = await vetToHtml(result, decideVet(result, { failUnder: 90 }));
  return new Response(html, { headers: { "Content-Type": "text/html" } });
}

describe("The page of a result in a browser", () => {
  it("is readable in every look, and loads and runs nothing", { skip }, async () => {
    await listening(openPage, async (origin) => {
      await withChromium(async (tab) => {
        await tab.goto(origin);
        assertEquals(await problemsOf(tab, everyLook), []);
        assertEquals(tab.complaints, []);
      });
    });
  });

  it("has a badge that a browser shows as an image", { skip }, async () => {
    await listening(openPage, async (origin) => {
      await withChromium(async (tab) => {
        await tab.goto(origin);
        const load = `new Promise((resolve) => {
          const image = new Image();
          image.onload = () => resolve(image.naturalHeight);
          image.onerror = () => resolve("none");
          image.src = ${
          JSON.stringify(`data:image/svg+xml,${encodeURIComponent(vetToBadge(result))}`)
        };
        })`;
        assertEquals(await tab.evaluate(load), 20);
      });
    });
  });
});
