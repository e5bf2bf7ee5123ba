/** What strangers do with a package that was published: they install it in an empty project. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { runProgram, startProgram } from "../../tests/support/program.ts";
import { compiler, succeed } from "../child.ts";
import { fetched } from "../downloads.ts";

/** A package manager, and the runtime that runs what it installs. */
export interface PackageManager {
  name: string;
  /** The package that has its command; without it, the command is installed. */
  npxPackage?: string;
  command: string;
  add: readonly string[];
  run: readonly string[];
}

/** Entry points whose types are those of a test runner. */
const ofRunner = /^\.\/(?:jest|playwright|vitest)/;

const addHallpass = ["add", "hallpass"];

export const packageManagers: readonly PackageManager[] = [
  { name: "npm", command: "npm", add: ["install", "--no-audit", "hallpass"], run: ["node"] },
  {
    name: "pnpm",
    npxPackage: "pnpm@9",
    command: "pnpm",
    add: [...addHallpass, "--store-dir", ".store"],
    run: ["node"],
  },
  { name: "Yarn", npxPackage: "yarn@1", command: "yarn", add: addHallpass, run: ["node"] },
  { name: "Bun", npxPackage: "bun@1", command: "bun", add: addHallpass, run: ["bun"] },
  {
    name: "Deno",
    command: process.execPath,
    // On its first day, Deno would not take it.
    add: ["add", "--minimum-dependency-age=0", "npm:hallpass"],
    run: [process.execPath, "run", "-A"],
  },
];

/** Mints a token in the way that the package's first example does. */
const firstTest = `import { hallpass } from "hallpass/testing";
const lab = await hallpass();
const { access_token } = await lab.mint({ sub: "alice", scope: "openid" });
const headers = { Authorization: \`Bearer \${access_token}\` };
console.log("status", (await lab.fetch(\`\${lab.issuer}/oauth2/userinfo\`, { headers })).status);
await lab.close();
`;

/** Installs our package in an empty project, uses it, and fails at any warning about packages. */
export async function tryPackageManager(
  { npxPackage, command, add, run }: PackageManager,
  { project, registry }: { project: string; registry: string },
): Promise<void> {
  await mkdir(project, { recursive: true });
  await writeFile(join(project, "package.json"), '{ "private": true, "type": "module" }');
  await writeFile(join(project, "first_test.mjs"), firstTest);
  const env = { ...cachesIn(project, registry), PATH: await pathWith(npxPackage) };
  const output = await succeed([command, ...add], project, env);
  const warning = /^.*(deprecated|(unmet|missing|incorrect) peer).*$/im.exec(output);
  if (warning) throw new Error(`The installation warns: ${warning[0]}`);
  const printed = await succeed([...run, "first_test.mjs"], project, env);
  if (!printed.includes("status 200")) throw new Error(`The first test printed: ${printed}`);
}

/** Returns the search path with the commands of a package of the public registry. */
async function pathWith(npxPackage: string | undefined): Promise<string> {
  if (npxPackage === undefined) return process.env.PATH ?? "";
  return await succeed(["npx", "-y", "-p", npxPackage, "--", "sh", "-c", 'printf %s "$PATH"']);
}

/**
 * Checks the types of each entry point in a project that has our package: those of a test runner
 * need that runner, which a project without it does not import.
 */
export async function checkExports(project: string): Promise<void> {
  const description = join(project, "node_modules/hallpass/package.json");
  const { exports } = JSON.parse(await readFile(description, "utf8"));
  const paths = Object.keys(exports)
    .filter((path) => !path.endsWith(".json") && !ofRunner.test(path));
  const lines = paths.map((path, at) =>
    `import * as entry${at} from "${path.replace(".", "hallpass")}";\nvoid entry${at};\n`
  );
  await writeFile(join(project, "exports.mts"), lines.join(""));
  const options = "--ignoreConfig --noEmit --strict --target esnext --module nodenext --types";
  await succeed([...compiler, ...options.split(" "), "", "exports.mts"], project);
}

/** Runs our program from a registry, in a folder without a project. */
export async function tryNpx(
  { folder, registry, version }: { folder: string; registry: string; version: string },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const npx = ["env", "-C", folder, "npx", "-y", "hallpass"];
  const node = dirname(await fetched("node@24"));
  const env = { ...cachesIn(folder, registry), PATH: `${node}:${process.env.PATH}` };
  const { output } = await runProgram(["--version"], env, "", npx);
  if (output.trim() !== `hallpass ${version}`) throw new Error(`--version printed: ${output}`);
  await tryLab(npx, env);
}

/** Starts a lab, asks it for its metadata, and stops it. */
export async function tryLab(
  command: string[],
  env: Record<string, string> = {},
): Promise<void> {
  const lab = await startProgram(["lab", "--port", "0"], env, command);
  const response = await fetch(`${lab.issuer}/.well-known/openid-configuration`);
  const { issuer } = await response.json();
  await lab.stop();
  if (issuer !== lab.issuer) throw new Error(`The lab at ${lab.issuer} names itself ${issuer}.`);
  const goesOn = await fetch(lab.issuer).then(() => true, () => false);
  if (goesOn) throw new Error("The lab goes on after it was stopped.");
}

/**
 * Returns variables that keep what is fetched from a registry in a folder: another rehearsal
 * publishes another package with the same version.
 */
function cachesIn(folder: string, registry: string): Record<string, string> {
  return {
    BUN_INSTALL_CACHE_DIR: join(folder, ".cache/bun"),
    DENO_DIR: join(folder, ".cache/deno"),
    NPM_CONFIG_REGISTRY: registry,
    XDG_CACHE_HOME: join(folder, ".cache"),
    YARN_CACHE_FOLDER: join(folder, ".cache/yarn"),
    npm_config_cache: join(folder, ".cache/npm"),
    npm_config_offline: "",
  };
}
