import { assertEquals } from "@std/assert";
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { succeed } from "../../../scripts/child.ts";
import { binary, reasonNotFetched } from "../../../scripts/downloads.ts";
import { inFolder } from "../../support/folder.ts";
import { packPackage } from "../../support/package.ts";
import { casesOfToday } from "../../support/turn.ts";

/** How a package manager installs a package from a file, without a network. */
interface PackageManager {
  name: string;
  /** Fetches the package manager itself. */
  npxPackage: string;
  install: string[];
  /** How a file runs with what was installed. */
  run(file: string): Promise<string[]>;
  files?: Record<string, string>;
}

const onNode = async (file: string) => [await binary("node@24"), file];

/** Plug'n'Play: nothing is installed; Node finds packages by a table, in their archives. */
const plugAndPlay = [
  "nodeLinker: pnp",
  "pnpEnableEsmLoader: true",
  "enableGlobalCache: false",
  "enableNetwork: false",
  "enableTelemetry: false",
  // Yarn refuses to write a lock file where the variable CI is set.
  "enableImmutableInstalls: false",
  "",
].join("\n");

const managers: PackageManager[] = [
  { name: "pnpm", npxPackage: "pnpm@9", install: ["pnpm", "install", "--offline"], run: onNode },
  {
    name: "Yarn 1",
    npxPackage: "yarn@1",
    install: ["yarn", "install", "--offline", "--no-lockfile", "--cache-folder", ".cache"],
    run: onNode,
  },
  {
    name: "Yarn 4 with Plug'n'Play",
    npxPackage: "@yarnpkg/cli-dist@4",
    install: ["yarn", "install"],
    run: async (file) => ["npx", "-y", "-p", "@yarnpkg/cli-dist@4", "yarn", "node", file],
    files: { ".yarnrc.yml": plugAndPlay, "yarn.lock": "" },
  },
];

/** A test runner that only says its version. */
const runnerName = "@playwright/test";
const runnerVersions = ["2.1.0", "2.2.0"];

const missing = await Promise.all(managers.map(({ npxPackage }) => reasonNotFetched(npxPackage)));

describe("The npm package, installed by another package manager", () => {
  for (const [at, manager] of casesOfToday([...managers.entries()])) {
    const options = { skip: missing[at] };
    it(`loads both ways with ${manager.name}, as one copy`, options, async () => {
      await inFolder(async (folder) => {
        await writeProject(folder, manager);
        await succeed([...npx(manager), ...manager.install], folder);
        const output = await succeed(await manager.run("one_copy.cjs"), folder);
        assertEquals(output.trim().split("\n").at(-1), "[true,true,true]");
      });
    });
  }

  for (const [at, manager] of managers.entries()) {
    if (manager.name === "Yarn 1") continue; // It has one folder for all projects.
    const options = { skip: missing[at] };
    it(
      `loads the test runner of each project of a workspace with ${manager.name}`,
      options,
      async () => {
        await inFolder(async (folder) => {
          await writeWorkspace(folder, manager);
          await succeed([...npx(manager), ...manager.install], folder);
          for (const version of runnerVersions) {
            const command = await manager.run("test.cjs");
            const output = await succeed(command, join(folder, `with-${version}`));
            assertEquals(output.trim().split("\n").at(-1), version);
          }
        });
      },
    );
  }

  it("is an archive of the package alone", async () => {
    await inFolder(async (folder) => {
      await copyFile(await packPackage(), join(folder, "hallpass.tgz"));
      await succeed(["tar", "xzf", "hallpass.tgz"], folder);
      assertEquals((await readdir(folder)).sort(), ["hallpass.tgz", "package"]);
    });
  });
});

function npx({ npxPackage }: PackageManager): string[] {
  return ["npx", "-y", "-p", npxPackage];
}

async function writeProject(folder: string, { files = {} }: PackageManager): Promise<void> {
  await copyFile(await packPackage(), join(folder, "hallpass.tgz"));
  await copyFile("tests/loaders/one_copy.cjs", join(folder, "one_copy.cjs"));
  const project = { private: true, dependencies: { hallpass: "file:./hallpass.tgz" } };
  const all = { "package.json": JSON.stringify(project), ...files };
  for (const [name, content] of Object.entries(all)) await writeFile(join(folder, name), content);
}

/** Writes two projects, each with our package and another version of a test runner. */
async function writeWorkspace(folder: string, { files = {} }: PackageManager): Promise<void> {
  await copyFile(await packPackage(), join(folder, "hallpass.tgz"));
  const all: Record<string, string> = {
    "package.json": JSON.stringify({ private: true, workspaces: ["with-*"] }),
    "pnpm-workspace.yaml": "packages: ['with-*']",
    ...files,
  };
  for (const version of runnerVersions) {
    const [project, runner] = [`with-${version}`, `runner-${version}`];
    const dependencies = { hallpass: "file:../hallpass.tgz", [runnerName]: `file:../${runner}` };
    all[`${project}/package.json`] = JSON.stringify({ name: project, dependencies });
    all[`${project}/test.cjs`] = 'console.log(require("hallpass/playwright").test);';
    all[`${runner}/package.json`] = JSON.stringify({ name: runnerName, version });
    all[`${runner}/index.js`] = `exports.test = { extend: () => "${version}" };`;
  }
  for (const [name, content] of Object.entries(all)) {
    await mkdir(join(folder, dirname(name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}
