import { join } from "node:path";
import process from "node:process";
import { binary, forOnce, forPackage, usedBy } from "../downloads.ts";
import { type SuiteFiles, typeSuites } from "./selection.ts";
import {
  bundleForPackage,
  bundlesOf,
  bundleTests,
  testsOfExports,
  writeEntries,
} from "./test_files.ts";

/** A set of files, and how a runtime runs them. */
export interface Suite {
  name: string;
  /** None if its command is one test. */
  files: string[];
  /** Returns the command that runs the files and writes a report. */
  command(report: string): Promise<string[]>;
  /** What must be fetched before; without it, the suite is skipped. */
  needs: readonly string[];
  /** What some of its tests need, which skip themselves without it. */
  uses: readonly string[];
  /** Whether it uses the package, which is built before. */
  usesPackage: boolean;
}

/** Where the parts of a run are. */
export interface SuiteSettings {
  /** The folder of the tests. */
  folder: string;
  /** A folder that is deleted afterwards. */
  work: string;
  /** How many times as fast as the machine's the clock of tests on Deno is. */
  clock: string | undefined;
  /** When a suite is ended, in seconds; one of its files may take a twentieth to load. */
  timeout: number;
  /** The day whose turn it is in a release; undefined if nothing is left out. */
  day: number | undefined;
}

const needs: Readonly<Record<string, readonly string[]>> = {
  bun: ["bun@1"],
  node: ["node@24"],
  package: ["node@24"],
  once: [...forPackage, ...forOnce],
};

/** Creates the suites of files. Those for Bun and Node are bundled at once. */
export function createSuites(selected: SuiteFiles, settings: SuiteSettings): Suite[] {
  const { folder, work } = settings;
  const bundled = ["bun", "node", "package"].flatMap((name) => selected.get(name) ?? []);
  if (bundled.length > 0) {
    const { inputs } = bundleTests(bundled, folder, join(work, "tests"));
    selected.set("package", testsOfExports(selected.get("package") ?? [], inputs));
  }
  // Other suites start programs, which have the machine's clock.
  const isWanted = (name: string) => settings.clock === undefined || name === "deno";
  const wanted = [...selected].filter(([name, files]) => files.length > 0 && isWanted(name));
  return wanted.map(([name, files]) => {
    const [runtime = ""] = name.split("/", 1);
    if (typeSuites.includes(name)) {
      const command = async () => [process.execPath, "check", "-q", ...denoFlags(name), ...files];
      return {
        name,
        files: [],
        needs: needs[runtime] ?? [],
        uses: [],
        usesPackage: false,
        command,
      };
    }
    const isOfProgram = (file: string) => /^tests\/(?:once|runtime)\//.test(file);
    return {
      name,
      files,
      needs: needs[runtime] ?? [],
      uses: usedBy(files),
      usesPackage: name === "package" || files.some(isOfProgram),
      command: (report) => commandOf(name, files, { ...settings, report }),
    };
  });
}

/** Returns the variables that tell tests where the parts of a run are. */
export function testVariables(
  { work, clock, day }: SuiteSettings,
): Record<string, string> {
  return {
    ...clock === undefined ? {} : { HALLPASS_TEST_CLOCK_SPEED: clock },
    ...day === undefined ? {} : { HALLPASS_TEST_DAY: String(day) },
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

async function commandOf(
  suite: string,
  files: readonly string[],
  { report, folder, work, clock, timeout }: SuiteSettings & { report: string },
): Promise<string[]> {
  const write = (paths: readonly string[], count = 1) =>
    writeEntries(paths, {
      work,
      name: suite.replace("/", "_"),
      count,
      loadSeconds: timeout / 20,
    });
  const bundles = join(work, suite === "package" ? "package/tests" : "tests");
  const bundled = bundlesOf(files, folder, bundles);
  if (suite === "bun") {
    const flags = ["--timeout=60000", "--reporter=junit", `--reporter-outfile=${report}`];
    return [await binary("bun@1"), "test", ...flags, ...bundled];
  }
  if (suite === "package") await bundleForPackage(files, bundles);
  if (suite === "node" || suite === "package") {
    const reporters = { spec: "stdout", junit: report };
    return [
      await binary("node@24"),
      "--test",
      // In a process of their own, files would load our modules again.
      "--test-isolation=none",
      // Names a test that hangs; the timeout of the whole run would only end it.
      "--test-timeout=300000",
      ...Object.entries(reporters).flatMap(([name, target]) => [
        `--test-reporter=${name}`,
        `--test-reporter-destination=${target}`,
      ]),
      ...await write(bundled),
    ];
  }
  const flags = ["--allow-all", "--no-check", "--junit-path", report, ...denoFlags(suite)];
  if (clock !== undefined) flags.push("--preload=./scripts/tests/fast_clock.ts");
  // Two groups run at the same time. Our modules are loaded once for each.
  const isParallel = suite === "deno" && clock === undefined;
  if (isParallel) flags.push("--parallel");
  return [process.execPath, "test", ...flags, ...await write(files, isParallel ? 2 : 1)];
}

function denoFlags(suite: string): string[] {
  // The package is CommonJS.
  if (suite === "deno/runtime") return ["--unstable-detect-cjs"];
  return suite.startsWith("once/") ? ["--cached-only", "--config=tests/once/deno.json"] : [];
}
