import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { pageText } from "../scripts/page_text.ts";
import { pictureTime } from "../scripts/picture_time.ts";
import { openLab } from "../src/lab/open_lab.ts";
import { createBrowser } from "./support/browser.ts";
import { documentProblems } from "./support/markdown.ts";
import { present } from "./support/present.ts";

const readme = readFileSync("README.md", "utf8");

describe("A document", () => {
  for (const path of ["README.md", ".github/TESTING.md"]) {
    it(`has correct links and a complete table of contents: ${path}`, () => {
      assertEquals(documentProblems(path), []);
    });
  }
});

describe("The README", () => {
  it("names only tasks that exist", () => {
    const { tasks } = JSON.parse(readFileSync("deno.json", "utf8"));
    const named = [...readme.matchAll(/deno task ([\w:]+)/g)].map(([, task]) => task);
    assertEquals(named.filter((task) => !Object.hasOwn(tasks, present(task))), []);
  });
});

describe("The picture in the README", () => {
  it("shows the page as it is; if it changed, run deno task pictures", async () => {
    const html = await authorizedPage("http://localhost:9000");
    assertEquals(pageText(html), readFileSync(".github/authorized.txt", "utf8"));
  });
});

/** Walks from the start of a flow to the page at its end. */
async function authorizedPage(issuer: string): Promise<string> {
  const browser = createBrowser(openLab({ issuer, now: () => pictureTime }).fetch, () => false);
  const signIn = await browser.open(`${issuer}/start?client_id=demo-spa`);
  const fields = { username: "alice", password: "alice" };
  const consent = await browser.submit(signIn, "sign-in", fields);
  return (await browser.submit(consent, "consent", { decision: "allow" })).html;
}
