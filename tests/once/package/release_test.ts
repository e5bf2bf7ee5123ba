import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { copyFile, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { parse } from "yaml";
import deno from "../../../deno.json" with { type: "json" };
import { compile, succeed } from "../../../scripts/child.ts";
import { findRepository } from "../../../scripts/package_files.ts";
import { releaseNotes } from "../../../scripts/release/release_notes.ts";
import { inFolder } from "../../support/folder.ts";
import { runProgram } from "../../support/program.ts";
import { casesOfToday } from "../../support/turn.ts";

const isArm = process.arch === "arm64";
const target = `${process.platform}-${isArm ? "arm64" : "x64"}`;

/** What the workflow of a release has in its environment. */
const workflowVariables = {
  GITHUB_SERVER_URL: "https://git.example",
  GITHUB_REPOSITORY: "someone/hallpass",
};

const none = { GITHUB_SERVER_URL: "", GITHUB_REPOSITORY: "" };

const denoRun = [
  process.env.HALLPASS_TEST_DENO ?? process.execPath,
  ...["run", "--cached-only", "--allow-all", "--no-check"],
];

/** Makes a release for this machine alone. */
async function release(folder: string): Promise<void> {
  const command = [...denoRun, "scripts/release/make_release.ts", "--target", target, folder];
  await succeed(command, process.cwd(), workflowVariables);
}

/** Builds the package by itself, where its workflow would, and packs it. */
async function packAgain(folder: string): Promise<void> {
  const built = join(folder, "npm");
  await succeed([...denoRun, "scripts/build.ts", built], process.cwd(), workflowVariables);
  await succeed(["npm", "pack", built, "--pack-destination", folder]);
  await copyFile(join(built, "sbom.cdx.json"), join(folder, "sbom.cdx.json"));
}

describe("deno task release", () => {
  it("makes the same package and the same binary as any other build, with checksums", async () => {
    await inFolder(async (folder) => {
      const [made, again] = [join(folder, "release"), join(folder, "again")];
      await release(made);
      const [archive, binary] = [`hallpass-${deno.version}.tgz`, `hallpass-${target}`];
      const files = [archive, binary, "sbom.cdx.json"];
      assertEquals((await readdir(made)).sort(), ["NOTES.md", "SHA256SUMS", ...files]);
      // Each file is listed, and has the same bytes where it was built by itself.
      const sums = await readFile(join(made, "SHA256SUMS"), "utf8");
      const listed = [...sums.matchAll(/^[0-9a-f]{64} {2}(.+)$/gm)].map(([, name]) => name);
      assertEquals(listed, files);
      const check = ["sha256sum", "--check", join(made, "SHA256SUMS")];
      await succeed(check, made);
      await mkdir(again);
      const builds = [
        () => packAgain(again),
        () => compile(join(again, binary), "src/main.ts", [`--target=bun-${target}`]),
      ];
      for (const build of casesOfToday<() => Promise<unknown>>(builds)) await build();
      const found = await succeed([...check, "--ignore-missing"], again);
      assertMatch(found, /: OK/);
      const command = [join(made, binary)];
      const { code, output } = await runProgram(["--version"], {}, "", command);
      assertEquals([code, output.trim()], [0, `hallpass ${deno.version}`]);

      await succeed(["tar", "xzf", archive, "package/package.json"], made);
      assertHasSource(JSON.parse(await readFile(join(made, "package/package.json"), "utf8")));
      const notes = await readFile(join(made, "NOTES.md"), "utf8");
      for (const name of files) assertMatch(notes, new RegExp(`^\\| ${name} \\| \\d+ kB`, "m"));
    });
  });
});

/** P1: npm publishes with provenance only what names the repository of the workflow. */
function assertHasSource({ repository, homepage, bugs, keywords, author }: {
  [name: string]: unknown;
}): void {
  const page = "https://git.example/someone/hallpass";
  assertEquals({ repository, homepage, bugs, author }, {
    repository: { type: "git", url: `git+${page}.git` },
    homepage: `${page}#readme`,
    bugs: { url: `${page}/issues` },
    author: undefined,
  });
  assert(Array.isArray(keywords) && keywords.includes("oidc"), "It has no keywords.");
}

describe("The source of a package", () => {
  it("P1: is what deno.json names, else the workflow's repository, else unknown", () => {
    const declared = "https://git.example/other/hallpass";
    assertEquals(findRepository(declared, workflowVariables), declared);
    assertEquals(
      findRepository(undefined, workflowVariables),
      "https://git.example/someone/hallpass",
    );
    for (const env of [none, {}, { ...workflowVariables, GITHUB_REPOSITORY: undefined }]) {
      assertEquals(findRepository(undefined, env), undefined);
    }
  });
});

describe("The notes of a release", () => {
  const files = [{ name: "hallpass.tgz", size: 2_345_678, sha256: "ab".repeat(32) }];

  it("have the newest part of the changelog, sizes and checksums", () => {
    const changelog =
      "# Changelog\n\n## 0.2.0 - 2027-01-01\n\n- New in [A](A.md).\n\n## 0.1.0\n\n- Old.\n";
    const notes = releaseNotes({ changelog, version: "0.2.0", files });
    assertMatch(notes, /^- New in A\.\n\n## Files\n/);
    assert(!notes.includes("Old"), notes);
    assertMatch(notes, /^\| hallpass\.tgz \| 2346 kB \| `(ab){32}` \|$/m);
  });

  it("are refused if the newest part is of another version", () => {
    const changelog = "# Changelog\n\n## 0.1.0\n\n- Old.\n";
    assertThrows(
      () => releaseNotes({ changelog, version: "0.2.0", files }),
      Error,
      "Cannot describe release 0.2.0: the newest part of the changelog is '0.1.0'.",
    );
  });
});

describe("The release workflow", () => {
  interface Step {
    run?: string;
    uses?: string;
  }

  const runsOf = ({ steps }: { steps: Step[] }) => steps.flatMap(({ run }) => run ?? []);

  it("runs tasks that exist, and uploads nothing before the tests have passed", async () => {
    const { jobs } = parse(await readFile(".github/workflows/release.yml", "utf8"));
    const { tasks } = JSON.parse(await readFile("deno.json", "utf8"));
    const { test, build, ...uploads } = jobs;
    assertEquals(runsOf(test), [".ci/run --all"]);
    assertEquals(build.needs, "test");
    for (const line of runsOf(build)) {
      const [, task] = /deno task (\S+)/.exec(line) ?? [];
      assert(task === undefined || task in tasks, line);
    }
    for (const [name, { needs }] of Object.entries<{ needs?: string }>(uploads)) {
      assertEquals([name, needs], [name, "build"]);
    }
  });

  it("may do with the repository only what a job needs", async () => {
    const { permissions, jobs } = parse(await readFile(".github/workflows/release.yml", "utf8"));
    assertEquals(permissions, { contents: "read" });
    assertEquals(jobs.npm.permissions, { contents: "read", "id-token": "write" });
    assertEquals([jobs.test.permissions, jobs.build.permissions], [undefined, undefined]);
  });

  it("publishes to npm with provenance, and with a token only where npm knows no workflow", async () => {
    const { jobs } = parse(await readFile(".github/workflows/release.yml", "utf8"));
    const step = jobs.npm.steps.find(({ run }: Step) => run?.includes("npm publish --provenance"));
    assertEquals(jobs.npm.permissions["id-token"], "write");
    assertEquals(step?.env, { NODE_AUTH_TOKEN: "${{ secrets.NPM_TOKEN }}" });
  });

  it("uploads every file that a release has, with its notes", async () => {
    const { jobs } = parse(await readFile(".github/workflows/release.yml", "utf8"));
    const [line] = runsOf(jobs.binaries);
    assertMatch(line ?? "", /--notes-file NOTES\.md SHA256SUMS sbom\.cdx\.json hallpass-\*$/);
  });
});
