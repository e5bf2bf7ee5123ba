import { join, relative } from "node:path";
import process from "node:process";
import { bundle, optionalPackages } from "../bundle.ts";
import { binary, forOnce, forPackage } from "../downloads.ts";
import { writeEntries } from "./entries.ts";
import { bundleForPackage, testsOfExports } from "./package_tests.ts";
import type { SuiteFiles } from "./selection.ts";

/** A set of files, and how a runtime runs them. */
export interface Suite {
  name: string;
  files: string[];
  /** Returns the command that runs the files and writes a report. */
  command(report: string): Promise<string[]>;
  /** What must be fetched before; without it, the suite is skipped. */
  needs?: readonly string[];
  /** Whether it uses the package, which is built before. */
  usesPackage?: boolean;
  /** Whether it runs when all others have ended. */
  isAlone?: boolean;
}

/** What the suites are made of. */
export interface SuiteParts {
  files: SuiteFiles;
  /** The names of those that are wanted; none means all. */
  only: readonly string[];
  folder: string;
  /** A folder that is deleted afterwards. */
  work: string;
  /** How many times as fast as the machine's the clock of tests on Deno is. */
  clock: string | undefined;
}

/** What takes longest begins first, of the folders of `once/`. */
const slowFolders = ["browser", "examples", "nodes", "package", "crash"];

/** Creates the suites that are wanted and have files. */
export function createSuites(parts: SuiteParts): Suite[] {
  const { only } = parts;
  const isWanted = (name: string) => only.length === 0 || only.includes(firstWordOf(name));
  const bundled = ["bun", "node", "package"].some(isWanted) ? bundledSuites(parts) : [];
  const suites = [...denoSuites(parts), ...bundled, ...onceSuites(parts)];
  return suites.filter(({ name, files }) => files.length > 0 && isWanted(name));
}

/** Returns the variables that tell tests where the parts of a run are. */
export function testVariables(work: string, clock: string | undefined): Record<string, string> {
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

/** Returns the command that builds the package for suites that use it. */
export function buildCommand(work: string, hasTypes: boolean): string[] {
  const build = ["run", "--cached-only", "--allow-all", "--no-check", "scripts/build.ts"];
  return [process.execPath, ...build, packageIn(work), ...hasTypes ? [] : ["--no-types"]];
}

function packageIn(work: string): string {
  return join(work, "node_modules/hallpass");
}

function denoSuites({ files, work, clock }: SuiteParts): Suite[] {
  const suite = (name: keyof SuiteFiles, flags: string[], groups = 1): Suite => ({
    name: name === "deno" ? name : `deno/${name}`,
    files: files[name],
    command: async (report) => [
      ...denoTest(report, ...flags),
      ...await writeEntries(files[name], { work, name, count: groups }),
    ],
  });
  if (clock !== undefined) return [suite("deno", ["--preload=./scripts/tests/fast_clock.ts"])];
  return [
    // Two groups run at the same time. Our modules are loaded once for each.
    suite("deno", ["--parallel"], 2),
    // The package is CommonJS.
    { ...suite("runtime", ["--unstable-detect-cjs"]), usesPackage: true },
    { ...suite("alone", []), isAlone: true },
  ];
}

/** Tests that start engines and browsers, a process for each of their folders. */
function onceSuites({ files: { once }, folder, work }: SuiteParts): Suite[] {
  const root = join(folder, "once");
  const folderOf = (file: string) => firstWordOf(relative(root, file));
  const folders = [...new Set([...slowFolders, ...once.map(folderOf)])];
  return folders.map((name) => {
    const inFolder = once.filter((file) => folderOf(file) === name);
    return {
      name: `once/${name}`,
      files: inFolder,
      command: async (report) => [
        ...denoTest(report, "--cached-only", `--config=${join(root, "deno.json")}`),
        ...await writeEntries(inFolder, { work, name: `once_${name}` }),
      ],
      usesPackage: true,
      needs: [...forPackage, ...forOnce],
    };
  });
}

function denoTest(report: string, ...flags: string[]): string[] {
  const test = ["test", "--allow-all", "--no-check", "--junit-path", report];
  return [process.execPath, ...test, ...flags];
}

/** Bun and Node run bundles; on Node, some run against the package. */
function bundledSuites({ files, folder, work }: SuiteParts): Suite[] {
  const bundled = [...new Set([...files.bun, ...files.node, ...files.package])];
  if (bundled.length === 0) return [];
  const { metafile: { inputs } } = bundle({
    entryPoints: bundled,
    outdir: join(work, "tests"),
    outbase: folder,
    outExtension: { ".js": ".test.mjs" },
    splitting: true,
    external: ["esbuild", ...optionalPackages],
    sourcemap: "inline",
  });
  const bundlesOf = (tests: string[]) =>
    tests.map((file) =>
      join(work, "tests", relative(folder, file).replace(/\.tsx?$/, ".test.mjs"))
    );
  const ofExports = folder === "tests" ? testsOfExports(files.package, inputs) : [];
  const usesPackage = (tests: string[]) =>
    tests.some((test) => test.startsWith(`${folder}/runtime/`));
  return [
    {
      name: "bun",
      files: files.bun,
      command: (report) => bunTest(report, bundlesOf(files.bun)),
      needs: ["bun@1"],
      usesPackage: usesPackage(files.bun),
    },
    {
      name: "node",
      files: files.node,
      command: async (report) =>
        nodeTest(report, await writeEntries(bundlesOf(files.node), { work, name: "node" })),
      needs: ["node@24"],
      usesPackage: usesPackage(files.node),
    },
    {
      name: "package",
      files: ofExports,
      command: async (report) => {
        const bundles = await bundleForPackage(ofExports, work);
        return nodeTest(report, await writeEntries(bundles, { work, name: "package" }));
      },
      needs: ["node@24"],
      usesPackage: true,
    },
  ];
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

async function nodeTest(report: string, entries: readonly string[]): Promise<string[]> {
  return [
    await binary("node@24"),
    "--test",
    // In a process of their own, files would load our modules again.
    "--test-isolation=none",
    // Names a test that hangs; the timeout of the whole run would only end it.
    "--test-timeout=300000",
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=junit",
    `--test-reporter-destination=${report}`,
    ...entries,
  ];
}

function firstWordOf(path: string): string {
  return path.split("/", 1)[0] ?? "";
}
