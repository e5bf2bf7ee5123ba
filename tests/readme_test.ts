import { assertEquals } from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";

const readme = readFileSync("README.md", "utf8");

describe("The README", () => {
  it("links only to files that exist", () => {
    const targets = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target]) => target).filter((
      target,
    ) => !/^https?:/.test(target));
    assertEquals(targets.filter((target) => !existsSync(target)), []);
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
    assertEquals(targets.filter((target) => !anchors.includes(target)), []);
  });

  it("names only tasks that exist", () => {
    const { tasks } = JSON.parse(readFileSync("deno.json", "utf8"));
    const named = [...readme.matchAll(/deno task ([\w:]+)/g)].map(([, task]) => task);
    assertEquals(named.filter((task) => !Object.hasOwn(tasks, task)), []);
  });
});

/** The anchor that GitHub gives a heading. */
function anchorOf(title: string | undefined): string {
  return (title ?? "").toLowerCase().replaceAll(" ", "-");
}
