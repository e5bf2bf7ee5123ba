import { join, relative } from "node:path";
import process from "node:process";
import { bundle, optionalPackages } from "../bundle.ts";
import { runCommand } from "../child.ts";
import { binary } from "../npx.ts";
import { bundleForPackage, testsOfExports } from "./package_tests.ts";
import type { SelectedFiles } from "./selection.ts";

/** A set of files, and how a runtime runs them. */
export interface Suite {
  name: string;
  files: string[];
  /** Returns the command that runs the files and writes a report. */
  command(report: string): Promise<string[]>;
  env: Record<string, string>;
}

/** What the suites are made of. */
export interface SuiteParts {
  files: SelectedFiles;
  /** The suites that are wanted. */
  names: readonly string[];
  folder: string;
  /** A folder that is deleted afterwards. */
  work: string;
}

const denoTest = [process.execPath, "test", "--allow-all", "--no-check"];

/** Creates the suites that are wanted and have files. */
export async function createSuites({ files, names, folder, work }: SuiteParts): Promise<Suite[]> {
  const installed = join(work, "node_modules/hallpass");
  const env = {
    NO_COLOR: "1",
    HALLPASS_TEST_DENO: process.execPath,
    HALLPASS_TEST_PACKAGE: installed,
    HALLPASS_TEST_MAIN: join(installed, "main.mjs"),
  };
  const suite = (name: string, files: string[], command: Suite["command"]): Suite[] =>
    names.includes(name) && files.length > 0 ? [{ name, files, command, env }] : [];
  const isBundled = ["bun", "node", "import", "require"].some((name) => names.includes(name));
  const bundled = isBundled ? bundleTests(files.elsewhere, folder, work) : undefined;
  const ofExports = bundled ? testsOfExports(files.elsewhere, bundled.metafile) : [];
  const ofSources = files.elsewhere.filter((file) => !ofExports.includes(file));
  const pathsOf = (files: string[]) => files.map((file) => bundleOf(file, folder, work));
  const suites = [
    ...suite("deno", files.deno, async (report) => [
      ...denoTest,
      "--junit-path",
      report,
      ...files.deno,
    ]),
    ...suite("bun", files.elsewhere, (report) => bunTest(report, pathsOf(files.elsewhere))),
    ...suite("node", ofSources, (report) => nodeTest(report, pathsOf(ofSources))),
    ...suite(
      "import",
      ofExports,
      async (report) => nodeTest(report, await bundleForPackage(ofExports, work, "import")),
    ),
    ...suite(
      "require",
      ofExports,
      async (report) => nodeTest(report, await bundleForPackage(ofExports, work, "require")),
    ),
    ...suite("once", files.once, async (report) => [
      ...denoTest,
      `--config=${join(folder, "once/deno.json")}`,
      "--junit-path",
      report,
      ...files.once,
    ]),
  ];
  // On Node the program is the one of the package, in tests/once too.
  const startsProgram = bundled && "tests/support/program.ts" in bundled.metafile.inputs;
  const ofPackage = ["import", "require", "once", ...startsProgram ? ["node"] : []];
  if (suites.some(({ name }) => ofPackage.includes(name))) await buildPackage(installed);
  return suites;
}

async function buildPackage(folder: string): Promise<void> {
  const build = ["run", "--cached-only", "--allow-all", "--no-check", "scripts/build.ts", folder];
  const { code, output } = await runCommand([process.execPath, ...build], { timeout: 300_000 });
  if (code !== 0) throw new Error(`Cannot build the package: ${output}`);
}

function bundleTests(files: string[], folder: string, work: string) {
  return bundle({
    entryPoints: files,
    outdir: join(work, "tests"),
    outbase: folder,
    outExtension: { ".js": ".test.mjs" },
    splitting: true,
    external: ["esbuild", ...optionalPackages],
    sourcemap: "inline",
  });
}

function bundleOf(file: string, folder: string, work: string): string {
  return join(work, "tests", relative(folder, file).replace(/\.tsx?$/, ".test.mjs"));
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
    // Names a test that hangs; the timeout of the whole run would only end it.
    "--test-timeout=300000",
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=junit",
    `--test-reporter-destination=${report}`,
    ...bundles,
  ];
}
