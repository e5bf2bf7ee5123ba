import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import type { PlaywrightBrowser } from "../../../lab/features/drill/browser/playwright_types.ts";
import { hasErrorCode, messageOf } from "../../../server/util/text/error_message.ts";
import { pathExists } from "../../operate/open_store.ts";
import { checkMayStart } from "../../processes/child_process.ts";
import { UsageError } from "../../terminal/exit_code.ts";
import { printable } from "../../terminal/printable.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** A browser that the command opened for a drill. */
export interface OpenedBrowser {
  browser: PlaywrightBrowser;
  /** Ends it, and deletes its profile. */
  close(): Promise<void>;
}

/** What the command uses of Playwright to start a Chromium. */
interface Engine {
  launch(options: LaunchOptions): Promise<PlaywrightBrowser & { close(): Promise<void> }>;
  /** Returns the path of the browser that Playwright downloads. */
  executablePath(): string;
}

interface LaunchOptions {
  executablePath?: string;
  channel?: string;
  chromiumSandbox: boolean;
  env: Record<string, string>;
  handleSIGINT: false;
  handleSIGTERM: false;
  handleSIGHUP: false;
}

type Place = Pick<LaunchOptions, "executablePath" | "channel">;

/** The packages that have Playwright's interface, the smallest first. */
const packages = ["playwright-core", "playwright", "@playwright/test"];

/** Browsers on the PATH of Linux. Playwright knows by itself where Chrome and Edge are. */
const programs = ["chromium", "chromium-browser", "google-chrome", "microsoft-edge"];
const channels = ["chrome", "msedge"];

/** What an operating system calls its folder for temporary files. */
const temporaryVariables = ["TMPDIR", "TMP", "TEMP"];

/** Where the profile of a browser is: the id of the process that opened it follows. */
const prefix = "hallpass-browser-";

/** Starts a Chromium, Chrome or Edge of this machine by the Playwright of the user's project. */
export async function openBrowser({ printError }: Terminal): Promise<OpenedBrowser> {
  if (/\$bunfs|~BUN/.test(process.argv[1] ?? "")) {
    throw new UsageError(
      "A drill in a browser needs Node, which the binary does not have: use the package, npx " +
        "hallpass drill app URL --browser.",
    );
  }
  checkMayStart("drill");
  const engine = findEngine(process.cwd());
  await removeLeftovers();
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    printError("You are root: the browser runs without its sandbox (--no-sandbox).");
  }
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 10 });
  try {
    const browser = await launchIn(folder, engine, !isRoot);
    return {
      browser,
      async close() {
        await browser.close();
        await remove();
      },
    };
  } catch (cause) {
    await remove();
    throw cause;
  }
}

/** Finds Playwright in a project, which has chosen its version. */
function findEngine(project: string): Engine {
  const load = createRequire(join(project, "package.json"));
  for (const name of packages) {
    try {
      return load(name).chromium;
    } catch (cause) {
      if (!hasErrorCode(cause, "MODULE_NOT_FOUND")) throw cause;
    }
  }
  throw new UsageError(missing(`this folder has no ${packages[0]}`));
}

/** Starts the first browser that is there. Its profile is in a folder, which nothing else uses. */
async function launchIn(folder: string, engine: Engine, chromiumSandbox: boolean) {
  const env = definedOnly(process.env);
  let problem: string | undefined;
  for (const place of await findPlaces(engine)) {
    // Playwright makes a profile where temporary files are; the browser keeps its own place.
    for (const name of temporaryVariables) process.env[name] = folder;
    try {
      return await engine.launch({
        ...place,
        ...{ chromiumSandbox, env, handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
      });
    } catch (cause) {
      const message = messageOf(cause);
      if (!/is not found at|doesn't exist/.test(message)) problem ??= message;
    } finally {
      for (const name of temporaryVariables) restore(name, env[name]);
    }
  }
  if (problem === undefined) throw new UsageError(missing("this machine has no Chromium"));
  throw new UsageError(`The browser did not start: ${printable(problem.split("\nCall log")[0]!)}`);
}

/** Returns where browsers may be: that of Playwright, those on the PATH, those it finds itself. */
async function findPlaces(engine: Engine): Promise<Place[]> {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = programs.flatMap((name) => folders.map((folder) => join(folder, name)));
  const places: Place[] = [];
  for (const executablePath of [engine.executablePath(), ...paths]) {
    if (await pathExists(executablePath)) places.push({ executablePath });
  }
  return [...places, ...channels.map((channel) => ({ channel }))];
}

/** Deletes the profiles of commands that were killed. */
async function removeLeftovers(): Promise<void> {
  const parent = tmpdir();
  for (const name of await readdir(parent)) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    // It may belong to another user.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return !hasErrorCode(cause, "ESRCH");
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

function definedOnly(variables: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(variables);
  return Object.fromEntries(entries.flatMap(([name, value]) => value ? [[name, value]] : []));
}

function missing(what: string): string {
  return `A drill in a browser needs Playwright and a browser, and ${what}: npm i -D ` +
    "playwright-core, and Chrome, Edge or Chromium (or npx playwright-core install chromium).";
}
