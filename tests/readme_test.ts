import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { describe, it } from "node:test";
import {
  openDrilledSite,
  picturedText,
  pictures,
  pictureTime,
  redeemWithWrongVerifier,
  refusedFlowPath,
} from "../scripts/pictured_lab.ts";
import { openLab } from "../src/lab/open_lab.ts";
import { createBrowser, textOf } from "./support/browser.ts";
import { documentProblems } from "./support/markdown.ts";
import { present } from "./support/present.ts";

const readme = readFileSync("README.md", "utf8");

/** The README, and the documents to which it leads. */
const documents = [
  "README.md",
  ...readdirSync(".github").filter((name) => name.endsWith(".md")).map((name) => `.github/${name}`),
];

describe("A document", () => {
  for (const path of documents) {
    it(`has correct links, and no incomplete table of contents: ${path}`, () => {
      assertEquals(documentProblems(path), []);
    });
  }
});

describe("The README", () => {
  it("has at most 200 lines and 11 kB", () => {
    assert(readme.split("\n").length <= 200);
    assert(new TextEncoder().encode(readme).length <= 11_000);
  });

  it("names only tasks that exist, as every document does", () => {
    const { tasks } = JSON.parse(readFileSync("deno.json", "utf8"));
    const named = documents.flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/deno task ([a-z][\w:]*)/g)].map(([, task]) => task)
    );
    // `deno task without` deletes a task and leaves the documents.
    const deleted = process.env.HALLPASS_TEST_WITHOUT?.split(",") ?? [];
    const known = [...Object.keys(tasks), ...deleted];
    assertEquals(named.filter((task) => !known.includes(present(task))), []);
  });

  it("names only words and sources that select tests, as every document does", () => {
    const files = readdirSync("tests", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("_test.ts") && !file.includes("node_modules"));
    const words = documents.flatMap((
      path,
    ) => [...readFileSync(path, "utf8").matchAll(/deno task test ([a-z][\w/ ]*(?:\.ts)?)/g)])
      .flatMap(([, words = ""]) => words.trim().split(" "));
    const selects = (word: string) => existsSync(word) || files.some((file) => file.includes(word));
    assertEquals(words.filter((word) => !selects(word)), []);
  });

  it("shows a login that a test runs, whole", () => {
    const example = readFileSync("tests/examples/example.login.mjs", "utf8");
    assertStringIncludes(readme, `\`\`\`js\n${example}\`\`\``);
  });

  it("installs the archive that deno task build writes", () => {
    const { tasks, version } = JSON.parse(readFileSync("deno.json", "utf8"));
    assertMatch(tasks.build.command, /npm pack .*\.\/dist\/npm --pack-destination dist$/);
    const archives = [...readme.matchAll(/dist\/hallpass-[\w.]+/g)].map(([path]) => path);
    assertEquals(archives, [`dist/hallpass-${version}.tgz`]);
  });

  it("links to every document", () => {
    assertEquals(documents.slice(1).filter((path) => !readme.includes(`](${path})`)), []);
  });
});

describe("The reference of the configuration", () => {
  it("I11: says what a member of authorization details holds", () => {
    const reference = readFileSync(".github/CONFIGURATION.md", "utf8");
    const schema = readFileSync("static/config.schema.json", "utf8");
    const row = present(reference.split("\n").find((line) => line.startsWith("| `members` |")));
    const { properties } = JSON.parse(schema).definitions.AuthorizationDetailType;
    for (const text of [row, properties.members.description]) {
      for (const kind of ["text", "texts", "number", "flag"]) {
        assertMatch(text, new RegExp(`\`${kind}\` (?:is|a) `));
      }
    }
  });
});

describe("The pictures in the README", () => {
  it("show the pages as they are; if one changed, run deno task pictures", async () => {
    const pages = await picturedPages("http://localhost:9000");
    for (const name of pictures) {
      assertEquals(
        picturedText(name, pages[name]),
        readFileSync(`.github/${name}.txt`, "utf8"),
        name,
      );
    }
  });
});

describe("The documents", () => {
  it("name buttons as the pages do", async () => {
    const { home, authorized } = await picturedPages("http://localhost:9000");
    const buttons = [...`${home}${authorized}`.matchAll(/<button\b.*?<\/button>/gs)]
      .map(([button]) => textOf(button));
    const named = ["README.md", ".github/PACKAGE.md"].flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/(?:press|choose) \*\*(.+?)\*\*/g)]
        .map(([, name = ""]) => name)
    );
    assertEquals(named.length, 3);
    assertEquals(named.filter((name) => !buttons.includes(name)), []);
  });
});

/** Walks from the home page through a flow to the page that shows why it was refused. */
async function picturedPages(
  issuer: string,
): Promise<Record<(typeof pictures)[number], string>> {
  await using lab = openLab({ issuer, now: () => pictureTime });
  const browser = createBrowser(lab.fetch, () => false);
  const home = await browser.open(`${issuer}/`);
  const signIn = await browser.open(`${issuer}/start?client_id=demo-spa`);
  const fields = { username: "alice", password: "alice" };
  const consent = await browser.submit(signIn, "sign-in", fields);
  const authorized = await browser.submit(consent, "consent", { decision: "allow" });
  await redeemWithWrongVerifier(lab, new URL(authorized.url, issuer).href);
  const headers = { Accept: "text/html" };
  const refused = await (await browser.request(issuer + refusedFlowPath, { headers })).text();
  await using site = await openDrilledSite();
  const drill = await (await site.fetch(new Request(`${issuer}/lab/drill`, { headers }))).text();
  return { home: home.html, authorized: authorized.html, refused, drill };
}
