import { assert, assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { labForTest } from "../src/lab/testing/fixtures.ts";
import { parseArguments } from "../src/program/command_line/arguments.ts";
import { commands } from "../src/program/commands.ts";
import { codeBlocks, linkedFiles } from "./support/markdown.ts";

const comingFrom = ".github/COMING_FROM.md";
/** The documents for people who test. */
const cookbooks = [
  comingFrom,
  ...["HTTP_INTERFACE", "MCP", "RECIPES", "TESTING_A_CLIENT", "TESTING_AN_API"]
    .map((name) => `.github/${name}.md`),
];
const examples = "tests/examples/";

/** The text of every document, by its name. */
const texts = readSources(".github", (file) => file.endsWith(".md"))
  .set("README.md", readFileSync("README.md", "utf8"));

/** The text of every example, by its path below the folder. */
const sources = readSources(examples, (file) => /\.(ts|tsx|js|json|java)$/.test(file));
/** The tests that run the examples. */
const runners = readSources(
  "tests/once/",
  (file) => /^(examples|features|package)\/.*\.ts$/.test(file),
);

/** The options of `lab`, and the operations that its interface over HTTP has. */
const options = new Set(
  commands.find(({ name }) => name === "lab")?.options.map(({ name }) => `--${name}`),
);
const operationsText = (texts.get("HTTP_INTERFACE.md") ?? "").replaceAll(":name", "NAME");

describe("A document", () => {
  for (const command of commandLines()) {
    it(`names a command with options that it has: hallpass ${command}`, () => {
      const words = command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g);
      const args = [...words].map(([, single, double, word = ""]) => single ?? double ?? word);
      parseArguments(args, {}, commands);
    });
  }

  it("names only members that a lab has, or that of a test", async () => {
    await using lab = await labForTest();
    const named = [...texts].flatMap(([name, text]) =>
      [...text.matchAll(/\blab\.(\w+)\(/g)].map(([, member = ""]) => [name, member] as const)
    );
    assertEquals(named.filter(([, member]) => !Object.hasOwn(lab, member)), []);
  });
});

describe("The documents for people who test", () => {
  const excerpts = cookbooks.flatMap(codeBlocks).filter(({ code }) => !isCommand(code));
  for (const { language, code, file } of excerpts) {
    const title = code.split("\n").find((line) => line.trim() !== "") ?? "";
    it(`shows what stands in ${file}: ${language} ${title}`, () => {
      assert(file, "No file is linked before this block.");
      assert(holdsLines(readFileSync(file, "utf8"), code), code);
    });
  }

  it("has no recipe over ten lines", () => {
    const lengths = codeBlocks(".github/RECIPES.md").map(({ code }) => code.split("\n").length);
    assert(lengths.every((lines) => lines <= 10));
  });

  it("links only to examples that a test runs, or that say why none does", () => {
    const links = cookbooks.flatMap((path) => linkedFiles(path));
    const files = links.filter((file) => file.startsWith(examples));
    assertEquals(
      files.map((file) => file.slice(examples.length)).filter((file) => !isRun(file)),
      [],
    );
  });

  for (const call of replacements().filter((call) => !call.startsWith("hallpass "))) {
    it(`names a replacement that an example uses, or that the lab has: ${call}`, () => {
      const [option] = /^--[\w-]+/.exec(call) ?? [];
      const operation = /^[A-Z]+ \/lab\/\S+$/.test(call) && call.replace("/lab", "");
      const text = [...sources.values()].join("\n").replace(/\s+/g, " ");
      const isThere = option
        ? options.has(option)
        : text.includes(call) || operation && operationsText.includes(operation);
      assert(isThere, call);
    });
  }
});

/** Whether a block is one command of the program; what it names is tested with the rest of them. */
function isCommand(code: string): boolean {
  return /^npx hallpass .*[^\\]$/.test(code);
}

/** The commands of the program in all documents, in blocks and in lines, without what a shell does. */
function commandLines(): string[] {
  const joined = [...texts.values()].map((text) =>
    text.replaceAll(/ \\\n +/g, " ").replaceAll("npx -y deno task start --", "hallpass lab --")
  );
  const found = joined.flatMap((text) => [
    ...text.matchAll(
      /(?:`|^ *)(?:(?:npx )?|npx -y deno task )hallpass (?!ready |has new )([^`\n]*)/gm,
    ),
  ]);
  const lines = found.map(([, line = ""]) =>
    line.replace(/ +[#>|&] .*| +<<.*| &$/, "")
      .replaceAll(/\$[A-Z]+\b|(?<=--url )URL/g, "http://localhost:3000")
  );
  return [...new Set(lines)].filter((line) => !/\\$|\$\(|…/.test(line));
}

/** The code in the last column of the tables for those who come from another server. */
function replacements(): string[] {
  const tables = readFileSync(comingFrom, "utf8");
  const cells = [...tables.matchAll(/^\|.*\|(.*)\|$/gm)].map(([, cell = ""]) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, call = ""]) => call));
}

/** An example is run by its name, with its folder, or because an example imports it. */
function isRun(file: string): boolean {
  const [first = ""] = file.split("/");
  const isNamed = [...runners.values()].some((text) => text.search(`["/]${first}["/]`) >= 0);
  const isUntested = readFileSync(join(examples, file), "utf8").startsWith(
    "// Not compiled here: ",
  );
  return isNamed || isUntested || [...sources.values()].some((text) => text.includes(`/${file}"`));
}

/** Reads the files of a folder that have been chosen. */
function readSources(folder: string, isChosen: (file: string) => boolean): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => !file.includes("node_modules") && isChosen(file));
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}

/** An excerpt has whole lines of the file, one after the other, but may begin further left. */
function holdsLines(text: string, excerpt: string): boolean {
  const [whole, part] = [text, excerpt].map((lines) => lines.trim().replace(/^[ \t]+/gm, ""));
  return `\n${whole}\n`.includes(`\n${part}\n`);
}
