import { join, relative } from "node:path";
import process from "node:process";
import { bundle, optionalPackages } from "../bundle.ts";
import { runCommand } from "../child.ts";
import { binary, forOnce } from "../downloads.ts";
import { groupTests } from "./group_tests.ts";
import { writeNodeEntries } from "./node_entries.ts";
import { bundleForPackage, type Loading, testsOfExports } from "./package_tests.ts";
import type { SelectedFiles } from "./selection.ts";

/** A set of files, and how a runtime runs them. */
export interface Suite {
  name: string;
  files: string[];
  /** Returns the command that runs the files and writes a report. */
  command(report: string): Promise<string[]>;
  /** Whether it starts the program of the package. */
  startsProgram?: boolean;
  /** What must be fetched before; without it, the suite is skipped. */
  needs?: readonly string[];
}

/** What the suites are made of. */
export interface SuiteParts {
  files: SelectedFiles;
  /** The names of those that are wanted. */
  names: readonly string[];
  folder: string;
  /** A folder that is deleted afterwards. */
  work: string;
  /** Whether groups of files run at the same time, which breaks tests that measure time. */
  parallel: boolean;
  /** How many times as fast as the machine's the clock of tests on Deno is. */
  clock: string | undefined;
}

/** Few enough to load our modules rarely, and enough for as many processors. */
const groupCount = 4;

/** What takes longest begins first, of the folders of `once/`. */
const slowFolders = ["examples", "browser", "package", "nodes", "crash"];

/** Creates the suites that are wanted and have files. */
export function createSuites(parts: SuiteParts): Suite[] {
  const isWanted = ({ name, files }: Suite) =>
    parts.names.includes(name.split("/", 1)[0] ?? "") && files.length > 0;
  const onDeno = denoSuites(parts).filter(isWanted);
  const bundled = parts.names.some((name) => name !== "deno" && name !== "once") &&
    parts.files.elsewhere.length > 0;
  return [...onDeno, ...bundled ? bundledSuites(parts).filter(isWanted) : []];
}

/** Returns the variables that tell tests where the parts of a run are. */
export function testVariables(
  work: string,
  clock: string | undefined,
): Record<string, string> {
  return {
    ...clock === undefined ? {} : { HALLPASS_TEST_CLOCK_SPEED: clock },
    NO_COLOR: "1",
    HALLPASS_TEST_DENO: process.execPath,
    // What tests need was fetched before them.
    npm_config_offline: "true",
    GOPROXY: "off",
    HALLPASS_TEST_PACKAGE: packageIn(work),
    // Node cannot read JSX, and runs the program that we ship.
    HALLPASS_TEST_MAIN: join(packageIn(work), "main.mjs"),
  };
}

function packageIn(work: string): string {
  return join(work, "node_modules/hallpass");
}

function denoSuites({ files, folder, work, parallel, clock }: SuiteParts): Suite[] {
  const isAlone = (file: string) => file.startsWith(`${folder}/runtime/`);
  const onDeno: Suite = {
    name: "deno",
    files: files.deno,
    command: async (report) => [
      ...denoTest(report),
      ...parallel ? ["--parallel"] : [],
      ...clock === undefined ? [] : ["--preload=./scripts/tests/fast_clock.ts"],
      ...await groupTests(files.deno.filter((file) => !isAlone(file)), {
        work,
        name: "deno",
        count: groupCount,
      }),
      // They start engines and servers, which end with their process and have the machine's clock.
      ...clock === undefined ? files.deno.filter(isAlone) : [],
    ],
  };
  return [onDeno, ...onceSuites({ files, folder, work })];
}

/** Tests that start engines and browsers, a process for each of their folders. */
function onceSuites(
  { files: { once }, folder, work }: Pick<SuiteParts, "files" | "folder" | "work">,
): Suite[] {
  const root = join(folder, "once");
  const folderOf = (file: string) => relative(root, file).split("/", 1)[0] ?? "";
  const folders = [...new Set([...slowFolders, ...once.map(folderOf)])];
  return folders.map((name) => {
    const inFolder = once.filter((file) => folderOf(file) === name);
    return {
      name: `once/${name}`,
      files: inFolder,
      command: async (report) => [
        ...denoTest(report),
        "--cached-only",
        `--config=${join(root, "deno.json")}`,
        ...await groupTests(inFolder, { work, name, count: 1 }),
      ],
      startsProgram: true,
      needs: forOnce,
    };
  });
}

function denoTest(report: string): string[] {
  return [process.execPath, "test", "--allow-all", "--no-check", "--junit-path", report];
}

/** Bun and Node run bundles. On Node, tests of what the package exports run against the package. */
function bundledSuites({ files: { elsewhere }, folder, work }: SuiteParts): Suite[] {
  const { inputs } = bundleTests(elsewhere, folder, work);
  const ofExports = folder === "tests" ? testsOfExports(elsewhere, inputs) : [];
  const ofSources = elsewhere.filter((file) => !ofExports.includes(file));
  const pathsOf = (files: string[]) =>
    files.map((file) =>
      join(work, "tests", relative(folder, file).replace(/\.tsx?$/, ".test.mjs"))
    );
  const packageSuite = (name: Loading): Suite => ({
    name,
    files: ofExports,
    command: async (report) => nodeTest(report, await bundleForPackage(ofExports, work, name)),
    startsProgram: true,
    needs: ["node@24"],
  });
  return [
    {
      name: "bun",
      files: elsewhere,
      command: (report) => bunTest(report, pathsOf(elsewhere)),
      needs: ["bun@1"],
    },
    {
      name: "node",
      files: ofSources,
      command: (report) => nodeTest(report, pathsOf(ofSources)),
      startsProgram: "tests/support/program.ts" in inputs,
      needs: ["node@24"],
    },
    packageSuite("import"),
    packageSuite("require"),
  ];
}

function bundleTests(files: string[], folder: string, work: string) {
  const { metafile } = bundle({
    entryPoints: files,
    outdir: join(work, "tests"),
    outbase: folder,
    outExtension: { ".js": ".test.mjs" },
    splitting: true,
    external: ["esbuild", ...optionalPackages],
    sourcemap: "inline",
  });
  return metafile;
}

/** Builds the package for the suites that start its program. */
export async function buildPackage(work: string): Promise<void> {
  const build = ["run", "--cached-only", "--allow-all", "--no-check", "scripts/build.ts"];
  const command = [process.execPath, ...build, packageIn(work)];
  const { code, output } = await runCommand(command, { timeout: 300_000 });
  if (code !== 0) throw new Error(`Cannot build the package: ${output}`);
}

async function bunTest(report: string, bundles: readonly string[]): Promise<string[]> {
  return [
    await binary("bun@1"),
    "test",
    "--timeout=60000",
    "--reporter=junit",
    `--reporter-outfile=${report}`,
    ...bundles,
  ];
}

async function nodeTest(report: string, bundles: readonly string[]): Promise<string[]> {
  return [
    await binary("node@24"),
    "--test",
    // A process for each file would load our modules again, which takes longer than most tests.
    "--test-isolation=none",
    // Names a test that hangs; the timeout of the whole run would only end it.
    "--test-timeout=300000",
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=junit",
    `--test-reporter-destination=${report}`,
    ...await writeNodeEntries(bundles),
  ];
}
