import { assertEquals } from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, it } from "node:test";
import { pageText } from "../scripts/page_text.ts";
import { createLabServer } from "../src/lab/lab_server.ts";
import { createBrowser } from "./support/browser.ts";
import { present } from "./support/present.ts";

const readme = readFileSync("README.md", "utf8");

describe("The README", () => {
  it("links only to files that exist", () => {
    const targets = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target]) => target).filter((
      target,
    ) => !/^https?:/.test(present(target)));
    assertEquals(targets.filter((target) => !existsSync(present(target))), []);
  });

  it("calls each linked file by its name", () => {
    const links = [...readme.matchAll(/\[([\w.]+\.\w+)\]\(([^)]+)\)/g)];
    const wrong = links.filter(([, label, target = ""]) => label !== basename(target));
    assertEquals(wrong.map(([link]) => link), []);
  });

  it("lists all of its sections in its table of contents", () => {
    const sections = [...readme.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    const entries = [...readme.matchAll(/^- \[(.+)\]\(#([\w-]+)\)$/gm)];
    assertEquals(
      entries.map(([, title]) => title),
      sections.filter((title) => title !== "Contents"),
    );
    assertEquals(
      entries.map(([, , anchor]) => anchor),
      entries.map(([, title]) => anchorOf(title)),
    );
  });

  it("leads to no section that does not exist", () => {
    const anchors = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchorOf(title));
    const targets = [...readme.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    assertEquals(targets.filter((target) => !anchors.includes(present(target))), []);
  });

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
  const browser = createBrowser(createLabServer({ issuer }).fetch, () => false);
  const signIn = await browser.open(`${issuer}/start?client_id=demo-spa`);
  const fields = { username: "alice", password: "alice" };
  const consent = await browser.submit(signIn, "sign-in", fields);
  return (await browser.submit(consent, "consent", { decision: "allow" })).html;
}

/** The anchor that GitHub gives a heading. */
function anchorOf(title: string | undefined): string {
  return (title ?? "").toLowerCase().replaceAll(" ", "-");
}
