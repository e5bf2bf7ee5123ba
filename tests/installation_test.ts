import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import {
  currentRelease,
  imageName,
  installFiles,
  type ReleaseFacts,
} from "../scripts/references/write_install.ts";
import { installLine } from "../src/program/terminal/installation.ts";

const before: ReleaseFacts = { version: "0.3.0", published: "", repository: undefined };
const after: ReleaseFacts = {
  version: "0.3.0",
  published: "0.2.0",
  repository: "https://github.com/Example/hallpass",
};

/** What a text says about the installation: blocks, and names of images. */
function installationIn(text: string): string {
  const blocks = text.matchAll(/<!-- install:\w+ -->\n([^]*?)<!-- end -->/g);
  const images = text.matchAll(/^ +image: (.*)$/gm);
  return [...blocks, ...images].map(([, said = ""]) => said).join("\n");
}

describe("How Hallpass is installed", () => {
  const renderings: Array<[when: string, facts: ReleaseFacts, has: RegExp, lacks: RegExp]> = [
    [
      "before the first release",
      before,
      /deno task (?:start|build)|docker build|build it from a clone/,
      /ghcr\.io|jsr:|releases\)|npm install --save-dev hallpass/,
    ],
    [
      "after a release",
      after,
      /npm install --save-dev hallpass|ghcr\.io\/example\/hallpass:0\.2\.0/,
      /Nothing is published|deno task (?:start|build)|docker build|dist\/|0\.3\.0/,
    ],
  ];
  for (const [when, facts, has, lacks] of renderings) {
    it(`follows in every file from what is published: ${when}`, () => {
      for (const [path, text] of Object.entries(installFiles(facts))) {
        assertMatch(installationIn(text), has, path);
        assertEquals(lacks.exec(installationIn(text))?.[0], undefined, path);
      }
      assert(Buffer.byteLength(installFiles(facts)["README.md"] ?? "") <= 11_000);
    });
  }

  it("is written once: another rendering leaves no trace", () => {
    for (const [path, text] of Object.entries(installFiles())) {
      assertEquals(text, readFileSync(path, "utf8"), path);
    }
    assertEquals(
      currentRelease.published,
      JSON.parse(readFileSync("static/published.json", "utf8")).version,
    );
  });

  it("is printed by the program: from a clone, then from a registry", () => {
    assertMatch(
      installLine(""),
      /^npx -y deno task build in a clone; in your project, npm install .* PATH\/TO\/hallpass\/dist\/.*\.tgz$/,
    );
    assertMatch(installLine("0.2.0"), /^npm install --save-dev hallpass, or deno add jsr:/);
  });

  it("names an image in small letters, as its registry does", () => {
    assertEquals(imageName(after), "ghcr.io/example/hallpass:0.2.0");
  });
});
