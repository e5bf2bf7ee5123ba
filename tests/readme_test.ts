import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
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
import { type ReleaseFacts, withInstallation } from "../scripts/references/write_install.ts";
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

const release: ReleaseFacts = {
  version: "0.2.0",
  published: "0.2.0",
  repository: "https://github.com/Example/hallpass",
};
/** The README before the first release, and after one. */
const renderings = [
  ["before a release", withInstallation(readme, { ...release, published: "" })],
  ["after a release", withInstallation(readme, release)],
] as const;

describe("The README", () => {
  for (const [when, text] of renderings) {
    it(`can be read in a few minutes: ${when}`, () => {
      assert(text.trim().split(/\s+/).length <= 1100);
      assert(text.split("\n").length <= 200);
      assert(new TextEncoder().encode(text).length <= 11_000);
    });

    it(`has at most ten links, each once: ${when}`, () => {
      const targets = [...text.matchAll(/(?<!!)\[(?:!\[.*?\]\(.*?\)|[^\]!])*\]\((.*?)\)|<http/g)]
        .map(([, target]) => target);
      assert(targets.length > 5 && targets.length <= 10, targets.join(" "));
      assertEquals([...new Set(targets)], targets);
    });

    it(`shows how to start it and how to run its tests, before anything else: ${when}`, () => {
      const [, block = ""] = /```sh\n([^]*?)```/.exec(text.split("\n## ", 1)[0] ?? "") ?? [];
      const [start = "", test = ""] = block.split("\n").map((line) => line.split(/ +#/, 1)[0]);
      const isPublished = when === "after a release";
      assertEquals(start, isPublished ? "npx hallpass lab" : "npx -y deno task start");
      assertEquals(test, "npx -y deno task test");
    });
  }

  it("has one form of each command: of a clone, or of a registry after the first release", () => {
    const [before = "", after = ""] = renderings.map(([, text]) => text);
    assertEquals(before.match(/npx hallpass.*|npm install .*hallpass$|jsr:/gm), null);
    assertEquals(after.match(/deno task (?!test\b).*|dist\/.*|docker build.*/g), null);
  });

  it("has the figures of the benchmarks, and their date", () => {
    const benchmarks = readFileSync(".github/BENCHMARKS.md", "utf8");
    for (const [label, row] of Object.entries(measuredRows)) {
      const columns = ["Hallpass", "oauth2-mock-server", "oidc-provider"];
      const measured = columns.map((column) => cellOf(benchmarks, row, column));
      const said = columns.map((column) => cellOf(readme, label, column).split(" ")[0]);
      assertEquals(said, measured, label);
    }
    const [, day = ""] = /measured on ([\d-]+)/.exec(readme) ?? [];
    assertStringIncludes(benchmarks, `Measured on ${day}`);
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

  it("leads to the index of the documents, which links to every other one", () => {
    const index = ".github/DOCUMENTS.md";
    assertStringIncludes(readme, `](${index})`);
    const text = readFileSync(index, "utf8");
    const others = documents.filter((path) => ![index, "README.md"].includes(path));
    assertEquals(others.filter((path) => !text.includes(`](${basename(path)})`)), []);
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
    const { pages } = await walk();
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
  it("say how many logins a drill tries", async () => {
    const { tried } = await walk();
    const guide = readFileSync(".github/TESTING_A_CLIENT.md", "utf8");
    const numbers = (pattern: RegExp) =>
      [...`${readme}${guide}`.matchAll(pattern)].map(([, number]) => Number(number));
    assertEquals(numbers(/\b(\d+) (?:times|attempts|variants)\b/g), [tried, tried, tried]);
  });

  it("name buttons as the pages do", async () => {
    const { home, authorized, drill } = (await walk()).pages;
    const buttons = [...`${home}${authorized}${drill}`.matchAll(/<button\b.*?<\/button>/gs)]
      .map(([button]) => textOf(button));
    const named = ["README.md", ".github/PACKAGE.md"].flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/(?:press|choose) \*\*(.+?)\*\*/g)]
        .map(([, name = ""]) => name)
    );
    assertEquals(named.length, 4);
    assertEquals(named.filter((name) => !buttons.includes(name)), []);
  });
});

/** What the tests of this file see of a lab. */
interface Walk {
  pages: Record<(typeof pictures)[number], string>;
  /** How many logins a drill tried. */
  tried: number;
}

let walked: Promise<Walk> | undefined;

/** Walks to each page that has a picture, once. */
function walk(): Promise<Walk> {
  return walked ??= walkThrough("http://localhost:9000");
}

async function walkThrough(issuer: string): Promise<Walk> {
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
  return {
    pages: { home: home.html, authorized: authorized.html, refused, drill },
    tried: site.result.outcomes.length,
  };
}

/** The rows of the comparison that were measured, and where the benchmarks have them. */
const measuredRows = {
  "import in a test": "import",
  "a login, on the server": "flow",
};

/** Returns a cell of a table: the row that begins with a text, and the column below another one. */
function cellOf(text: string, row: string, column: string): string {
  const tables = text.split("\n\n").map((part) =>
    part.split("\n").map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()))
  );
  for (const [head = [], ...rows] of tables) {
    const cells = rows.find(([first]) => first === row);
    const found = cells?.[head.indexOf(column)];
    if (found) return found;
  }
  throw new Error(`No table has ${row} of ${column}.`);
}
