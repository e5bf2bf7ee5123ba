/**
 * Writes how Hallpass is installed, wherever a document or an example says so: from a clone before
 * the first release, then from registries. `static/published.json` alone knows which it is.
 */
import { readFileSync } from "node:fs";
import deno from "../../deno.json" with { type: "json" };
import published from "../../static/published.json" with { type: "json" };

/** What decides how Hallpass is installed. */
export interface ReleaseFacts {
  /** The version of the sources. */
  version: string;
  /** The version that registries have; empty before the first release. */
  published: string;
  /** The URL of the repository. */
  repository: string | undefined;
}

/** The facts of the current sources. */
export const currentRelease: ReleaseFacts = {
  version: deno.version,
  published: published.version,
  repository: (deno as { repository?: string }).repository,
};

/** What says it, between `<!-- install:NAME -->` and `<!-- end -->`, or as the name of an image. */
const files = [
  "README.md",
  ...["COMING_FROM", "PACKAGE", "TESTING_A_CLIENT", "TESTING_AN_API"]
    .map((name) => `.github/${name}.md`),
  ...["compose.yaml", "compose.lab.yaml", "kubernetes.yaml"]
    .map((name) => `scripts/deploy/${name}`),
];

const texts = new Map(
  readFileSync("scripts/references/installation.txt", "utf8").split(/^=== /m).slice(1)
    .map((part) => [part.split("\n", 1)[0], part.slice(part.indexOf("\n") + 1).trimEnd()]),
);

/** Returns how Hallpass is installed, in the words of one place. */
export function installation(name: string, facts: ReleaseFacts = currentRelease): string {
  const { version, published, repository = "" } = facts;
  const text = texts.get(`${name}: ${published ? "published" : "before a release"}`);
  if (text === undefined) throw new Error(`installation.txt has no part '${name}'.`);
  const words: Readonly<Record<string, string>> = {
    VERSION: version,
    REPOSITORY: repository,
    IMAGE: imageName(facts),
  };
  return text.replace(/\b(?:VERSION|REPOSITORY|IMAGE)\b/g, (word) => words[word] ?? word);
}

/** Returns the name of the image of a release: its registry takes no capital letters. */
export function imageName({ published, repository = "" }: ReleaseFacts): string {
  return `ghcr.io/${new URL(repository || "none:").pathname.slice(1).toLowerCase()}:${published}`;
}

/** Returns every file that says how Hallpass is installed, by its path. */
export function installFiles(facts: ReleaseFacts = currentRelease): Record<string, string> {
  return Object.fromEntries(
    files.map((path) => [path, withInstallation(readFileSync(path, "utf8"), facts)]),
  );
}

/** Replaces what a text says about the installation. */
export function withInstallation(text: string, facts: ReleaseFacts): string {
  return text
    .replace(
      /(<!-- install:(\w+) -->\n)[^]*?(?=<!-- end -->)/g,
      (_, start, name) => `${start}${installation(name, facts)}\n`,
    )
    .replace(/(?<=^ +image: )(?:hallpass|ghcr\.io\/).*$/gm, () => installation("image", facts));
}
