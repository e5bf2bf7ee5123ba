/** What a release needs, each with the sentence that mends it. */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { runCommand, succeed } from "../child.ts";
import { findRepository } from "../package_files.ts";
import { releaseHeading } from "./release_notes.ts";

/** What decides whether a version can be released. */
export interface Situation {
  version: string;
  /** The version that static/published.json names. */
  published: string;
  /** The repository that deno.json names. */
  repository: string | undefined;
  changelog: string;
  /** The files that are not committed. */
  changed: readonly string[];
  /** The tags of the commit. */
  tags: readonly string[];
  /** What npm has under the name of the package; undefined if the name is free. */
  npm: { repository: string; versions: readonly string[] } | "unreachable" | undefined;
  environment: Readonly<Record<string, string | undefined>>;
}

interface Requirement {
  name: string;
  /** Whether only the workflow of a release can see it. */
  inWorkflow?: boolean;
  isMet(situation: Situation): boolean;
  mend(situation: Situation): string;
}

const prepare = "deno task release --prepare";
const byDigest = /^[^@]+@sha256:[0-9a-f]{64}$/;

const requirements: readonly Requirement[] = [
  {
    name: "a clean tree",
    isMet: ({ changed }) => changed.length === 0,
    mend: ({ changed }) => `Commit ${changed.slice(0, 3).join(", ")}, or undo what changed there.`,
  },
  {
    name: "the repository",
    isMet: ({ repository }) => /^https:\/\/[^/]+\/[^/]+\/[^/]+$/.test(repository ?? ""),
    mend: () => 'Write "repository": "https://github.com/OWNER/hallpass" into deno.json.',
  },
  {
    name: "the workflow's repository",
    inWorkflow: true,
    isMet: ({ repository, environment }) =>
      repository?.toLowerCase() === findRepository(undefined, environment)?.toLowerCase(),
    mend: ({ environment }) =>
      `npm requires the repository that a package comes from: in deno.json, "repository" must be ${
        findRepository(undefined, environment)
      }.`,
  },
  {
    name: "the changelog's entry",
    isMet: ({ changelog, version }) => releaseHeading(changelog)?.version === version,
    mend: ({ version }) =>
      `Begin .github/CHANGELOG.md with '## ${version} - unreleased', and say what is new.`,
  },
  {
    name: "its commit and its tag",
    isMet: ({ changelog, published, tags, version }) =>
      version === published && tags.includes(`v${version}`) &&
      /^\d{4}-\d\d-\d\d$/.test(releaseHeading(changelog)?.date ?? ""),
    mend: ({ version }) => `Run: ${prepare} ${version}`,
  },
  {
    name: "the name on npm",
    isMet: ({ npm, repository = "" }) =>
      npm === undefined ||
      npm !== "unreachable" && npm.repository.toLowerCase().includes(repository.toLowerCase()),
    mend: ({ npm }) =>
      npm === undefined || npm === "unreachable"
        ? "npm did not respond: try again."
        : `The name hallpass belongs to ${npm.repository}: ask for it, or choose another in scripts/build.ts.`,
  },
  {
    name: "a new version",
    isMet: ({ npm, version }) => typeof npm !== "object" || !npm.versions.includes(version),
    mend: ({ version }) =>
      `npm has ${version}, and never takes a version twice. Run: ${prepare} with the next.`,
  },
  {
    name: "a way to publish on npm",
    inWorkflow: true,
    // npm knows a trusted publisher only for a package that it has.
    isMet: ({ npm, environment }) => npm !== undefined || environment.HAS_NPM_TOKEN === "true",
    mend: () =>
      "The first version needs a token: on npmjs.com, Access Tokens, make one that may publish, and " +
      "add it as NPM_TOKEN in the repository's Settings, Secrets and variables, Actions.",
  },
  ...["BUILD_IMAGE", "BASE_IMAGE"].map((name): Requirement => ({
    name: `${name} by digest`,
    inWorkflow: true,
    isMet: ({ environment }) => byDigest.test(environment[name] ?? ""),
    mend: () =>
      `In the repository's Settings, Secrets and variables, Actions, set the variable ${name} to ` +
      `${name === "BUILD_IMAGE" ? "node:24-slim" : "debian:bookworm-slim"}@sha256:DIGEST, as ` +
      "docker buildx imagetools inspect prints it.",
  })),
];

/** What no program can see: RELEASING.md says where to click. */
export const forPerson: readonly string[] = [
  "JSR: the scope @hallpass, and its package linked to the repository",
  "the image: the package of the repository, which is private until you publish it",
  "Pages: the branch gh-pages, which the first release makes",
];

/** Returns what is missing, in the order in which to mend it. */
export function missingFor(situation: Situation): string[] {
  const isWorkflow = situation.environment.GITHUB_ACTIONS === "true";
  return requirements
    .filter(({ inWorkflow = false }) => isWorkflow || !inWorkflow)
    .filter((requirement) => !requirement.isMet(situation))
    .map(({ name, mend }) => `${name}: ${mend(situation)}`);
}

/** Looks at the sources in the current folder, at their history, and at npm. */
export async function readSituation(): Promise<Situation> {
  const deno = JSON.parse(await readFile("deno.json", "utf8"));
  const published = JSON.parse(await readFile("static/published.json", "utf8"));
  const status = await succeed(["git", "status", "--porcelain"]);
  const tags = await succeed(["git", "tag", "--points-at", "HEAD"]);
  return {
    version: deno.version,
    published: published.version,
    repository: deno.repository,
    changelog: await readFile(".github/CHANGELOG.md", "utf8"),
    changed: status.split("\n").filter(Boolean).map((line) => line.slice(3)),
    tags: `${tags}\n${process.env.GITHUB_REF_NAME ?? ""}`.split("\n").filter(Boolean),
    npm: await askNpm(),
    environment: process.env,
  };
}

async function askNpm(): Promise<Situation["npm"]> {
  const command = ["npm", "view", "hallpass", "repository.url", "versions", "--json"];
  const { code, output } = await runCommand(command, { timeout: 60_000 });
  if (/\bE404\b/.test(output)) return undefined;
  if (code !== 0) return "unreachable";
  const { "repository.url": repository = "nobody known", versions } = JSON.parse(output);
  return { repository, versions: [versions].flat() };
}
