/**
 * What Hallpass promises: what each entry point exports, the operations and endpoints over HTTP,
 * and the settings of a configuration, a line each. The file has what was last released; what was
 * added since breaks no promise.
 *
 *   deno task api            writes the file; after a release, only with what the changelog names
 *   deno task api --check    fails if a line is gone or has changed, and the changelog is silent
 */
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import deno from "../deno.json" with { type: "json" };
import { openLab } from "../src/lab/open_lab.ts";
import { filesIn } from "./files.ts";
import { moduleOf } from "./references/module_of.ts";
import { readKit } from "./references/read_kit.ts";
import { currentRelease } from "./references/write_install.ts";

const file = ".github/api.txt";

/** What describes a schema, and changes nothing for who uses it. */
const descriptive = ["$schema", "default", "description", "example", "examples", "info", "summary"]
  .concat("tags", "title");

/** An interface that callers write: a member that they must add breaks them. */
const isWritten = /^types interface \w+(?:Config|Options|Settings?)\.\w+: /;
const isRequired = /^configuration\b.*\.required: /;

/** Returns what is promised, in the order of the file. */
export async function readApi(): Promise<string[]> {
  const types: string[] = [];
  const seen = new Set<string>();
  for (const [path, source] of Object.entries(deno.exports)) {
    const entry = path.replace(".", "hallpass");
    for (const [name, { kind, source: text, members }] of await readKit(source)) {
      types.push(`${entry} ${kind} ${name}`);
      // Entries share most of their types.
      const own = [text, ...members.map((member) => `${name}.${member.source}`)];
      if (seen.has(own.join())) continue;
      seen.add(own.join());
      types.push(...own.map((line) => `types ${kind} ${withoutBody(line, kind)}`));
    }
  }
  const schema = JSON.parse(await readFile("static/config.schema.json", "utf8"));
  const lines = [
    ...types,
    ...flatten("configuration", schema),
    ...await httpLines(),
    ...await wordLines(),
  ];
  return [...new Set(lines)].sort();
}

/** Returns the file, with what is promised now. */
export async function apiFile(): Promise<Record<string, string>> {
  return { [file]: (await readApi()).map((line) => `${line}\n`).join("") };
}

function withoutBody(line: string, kind: string): string {
  const declared = line.replace(/^export /, "");
  return kind === "class" ? declared.replace(/(\): [^{]*) \{.*$/, "$1") : declared;
}

/** Returns the operations of a lab, and where its server is. */
async function httpLines(): Promise<string[]> {
  const issuer = "http://localhost:9000";
  await using lab = openLab({ issuer });
  const read = async (path: string) => await (await lab.fetch(new Request(issuer + path))).json();
  return [
    ...flatten("http", await read("/lab/openapi.json")),
    ...flatten("metadata", await read("/.well-known/openid-configuration")),
  ];
}

/** Returns the names of all texts of pages, which pages of others show as well. */
async function wordLines(): Promise<string[]> {
  const files = filesIn("src/server", /\/languages\/en\.ts$/);
  const texts = await Promise.all(
    files.map((file) => moduleOf<{ en: Record<string, object> }>(file.replace("src/", ""))),
  );
  return texts.flatMap(({ en = {} }) => Object.entries(en))
    .flatMap(([page, words]) => namesBelow(`words ${page}`, words));
}

function namesBelow(path: string, value: object | string): string[] {
  if (typeof value === "string") return [path];
  return Object.entries(value).flatMap(([name, member]) => namesBelow(`${path}.${name}`, member));
}

/** Returns a line for each value of an object. The order of a list is no promise. */
function flatten(start: string, value: unknown): string[] {
  return linesBelow(start, value)
    // What is allowed besides, and what contains the rest, follows from the other lines.
    .filter((line) => !/additionalProperties: false$|type: "(?:array|object)"$/.test(line))
    .map((line) => line.replace(/\.(?:components\.schemas|definitions|paths)\./, " "))
    .map((line) => line.replaceAll(".properties.", ".").replace("content.application/json.", ""));
}

function linesBelow(path: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => linesBelow(path, each));
  if (typeof value !== "object" || value === null) return [`${path}: ${JSON.stringify(value)}`];
  const isSchema = !path.endsWith(".properties");
  return Object.entries(value)
    .filter(([name]) => !isSchema || !descriptive.includes(name))
    .flatMap(([name, member]) => linesBelow(`${path}.${name}`, member));
}

/** Returns what an API no longer keeps of what was promised, or newly requires. */
export function brokenPromises(promised: readonly string[], api: readonly string[]): string[] {
  const [before, now] = [new Set(promised), new Set(api)];
  const wholes = new Set(promised.map(wholeOf));
  return [
    ...promised.filter((line) => !now.has(line)),
    ...api.filter((line) =>
      !before.has(line) && (isWritten.test(line) || isRequired.test(line)) &&
      wholes.has(wholeOf(line))
    ),
  ];
}

/** Returns what a line is a part of: an interface, or an object of a schema. */
function wholeOf(line: string): string {
  return line.replace(/\.(?:required|\w+\??)[:(<].*$/, "");
}

/**
 * Returns the lines of which the newest entry of a changelog names nothing. It does so in
 * backticks, in a list item that begins with "Breaking:".
 */
export function unnamed(lines: readonly string[], changelog: string): string[] {
  const [, newest = ""] = changelog.split(/^## /m);
  const items = newest.split(/^- /m).filter((item) => item.startsWith("Breaking:"));
  const named = [...items.join("\n").matchAll(/`([^`]+)`/g)]
    .flatMap(([, text = ""]) => text.match(/\w+/g) ?? []);
  return lines.filter((line) => {
    const [subject = ""] = line.replace(/^(?:types \S+|\S+) /, "").split(/[:(<]/);
    return !subject.split(/\W+/).some((word) => named.includes(word));
  });
}

async function main(): Promise<void> {
  const promised = (await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean);
  const api = await readApi();
  const broken = brokenPromises(promised, api);
  const silent = unnamed(broken, await readFile(".github/CHANGELOG.md", "utf8"));
  const isCheck = process.argv.includes("--check");
  if (silent.length > 0 && (isCheck || currentRelease.published !== "")) {
    console.error(`${silent.length} promises are broken, which the changelog does not name:`);
    console.error(silent.map((line) => `  ${line}`).join("\n"));
    const rewrite = currentRelease.published === "" ? ", or run: deno task api" : "";
    console.error(`Keep them, name them in "- Breaking: …" of .github/CHANGELOG.md${rewrite}`);
    process.exit(1);
  }
  if (!isCheck) await writeFile(file, api.map((line) => `${line}\n`).join(""));
}

// In a bundle of the tests that import this module, `import.meta.main` would be true as well.
if (process.argv[1]?.endsWith("/api.ts")) await main();
