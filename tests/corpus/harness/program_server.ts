import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { runCommand } from "../../../scripts/child.ts";
import { binary } from "../../../scripts/downloads.ts";
import { findPort, startProcess, untilItResponds } from "./processes.ts";
import { buildPackage } from "./program_lab.ts";

/** The user of RUNNING.md. */
export const ada = {
  name: "ada",
  password: "correct horse battery staple",
  claims: { name: "Ada Lovelace", email: "ada@example.org", group: "staff" },
};

export type Runtime = "node" | "bun" | "deno";

/** `hallpass serve`, as RUNNING.md sets it up, on loopback and without a proxy. */
export interface ProgramServer extends AsyncDisposable {
  runtime: Runtime;
  issuer: string;
  /** The file of its log. */
  log: string;
  /** Runs lines of a shell that call `hallpass`, and returns what they print. */
  run(lines: string): Promise<string>;
}

/** Follows RUNNING.md up to the server's start. Settings replace what its configuration has. */
export async function openProgramServer(
  runtime: Runtime,
  settings: object = {},
): Promise<ProgramServer> {
  const folder = await mkdtemp(join(tmpdir(), "hallpass-first-try-"));
  const [port, metricsPort] = [await findPort(), await findPort()];
  const issuer = `http://localhost:${port}`;
  const program = (await programFor(runtime)).map((word) => `'${word}'`).join(" ");
  const setUp = `set -e
ISSUER=${issuer} STORE=sqlite:${folder}/hallpass.db PORT=${port} METRICS_PORT=${metricsPort}
hallpass() (set -a; . ${folder}/hallpass.env; exec ${program} "$@")`;

  async function run(lines: string): Promise<string> {
    const command = ["bash", "-c", `${setUp}\n${lines}`];
    const { code, output } = await runCommand(command, { timeout: 120_000 });
    if (code !== 0) throw new Error(`${lines}\n${output}`);
    return output;
  }

  const changes = JSON.stringify(settings);
  await run(`${(await guideLines()).replaceAll("/etc/hallpass", folder)}
node -e 'const fs = require("fs"), path = "${folder}/hallpass.json";
  const config = { ...JSON.parse(fs.readFileSync(path)), ...JSON.parse(process.argv[1]) };
  fs.writeFileSync(path, JSON.stringify(config))' '${changes}'`);
  const log = join(folder, "serve.log");
  const started = startProcess(["bash", "-c", `${setUp}\nhallpass serve >${log} 2>&1`]);
  const close = async () => {
    await started[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilItResponds(`${issuer}/health`, started, 60);
  } catch (cause) {
    const printed = await readFile(log, "utf8").catch(() => "");
    await close();
    throw new Error(printed, { cause });
  }
  return { runtime, issuer, log, run, [Symbol.asyncDispose]: close };
}

/** Returns the lines of RUNNING.md that write the configuration, and add a user. */
async function guideLines(): Promise<string> {
  const guide = await readFile(".github/RUNNING.md", "utf8");
  const [, lines] = /\n(umask 027\n[\s\S]*?)hallpass check --strict\n/.exec(guide) ?? [];
  if (lines === undefined) throw new Error("RUNNING.md has no configuration.");
  return lines.replaceAll(/^hallpass client add .*\n/gm, "");
}

/** Returns how a runtime runs the program: Node the package that people install. */
async function programFor(runtime: Runtime): Promise<string[]> {
  const main = resolve("src/main.ts");
  if (runtime === "bun") return [await binary("bun@1"), main];
  if (runtime === "deno") {
    return [process.execPath, "run", "--cached-only", "--no-check", "--allow-all", main];
  }
  return [await binary("node@24"), join(await buildPackage(), "main.mjs")];
}
