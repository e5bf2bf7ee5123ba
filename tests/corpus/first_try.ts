/**
 * Connects real applications to `hallpass serve` as their administrators do: the server as RUNNING.md
 * sets it up, the application with what `client add --app` prints, and a person in Chromium.
 *
 *   deno task applications [--today | --day NUMBER] [--without-app] [--passkey]
 *     [--runtime node|bun|deno] [NAME …]
 *
 * With `--today`, one of those that install quickly has its turn, every other day by passkey. With
 * `--without-app`, the client has a redirect URI and all defaults, and the application does not turn
 * PKCE on. With `--passkey`, the server demands a passkey of all, and she gets hers by a link.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { chromium } from "../support/chromium.ts";
import { casesOfToday } from "../support/turn.ts";
import { triedApplications } from "./first_try/entries.ts";
import type { TriedApplication } from "./first_try/entry.ts";
import { type Tried, tryApplication } from "./first_try/try_application.ts";
import { isAvailable, RegistryOutage } from "./harness/installations.ts";
import { openProgramServer, type ProgramServer, type Runtime } from "./harness/program_server.ts";

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    today: { type: "boolean", default: false },
    day: { type: "string" },
    "without-app": { type: "boolean", default: false },
    passkey: { type: "boolean", default: false },
    runtime: { type: "string", default: "node" },
  },
});

const today = Math.floor(Date.now() / (24 * 60 * 60_000));
const day = Number(values.day ?? (values.today ? today : NaN));
const way = values["without-app"] ? "by hand" : "--app";
const byPasskey = values.passkey || values.today && day % 2 === 1;

const columns = [18, 10, 18, 36, 9, 9, 6];

async function main(): Promise<void> {
  if (!chromium) return console.log("skipped: this machine has no Chromium");
  await using server = await openProgramServer(
    values.runtime as Runtime,
    byPasskey ? { passkeys: { required: "all" } } : {},
  );
  print(["application", "version", "signed in", "learned", "refresh", "sign-out", "s"]);
  let [atOnce, all] = [0, 0];
  for (const application of chosen()) {
    const { app } = application;
    if (!await isAvailable(application.toolchain)) {
      console.log(`skipped: ${app}, which this machine cannot run`);
      continue;
    }
    try {
      const tried = await tryApplication(application, server, way, byPasskey);
      all++;
      if (await report(application, tried, server)) atOnce++;
      else if (way === "--app") process.exitCode = 1;
    } catch (cause) {
      if (cause instanceof RegistryOutage) {
        console.log(`skipped: ${app}, as a registry cannot be reached`);
        continue;
      }
      console.log(`${app} cannot be tried: ${(cause as Error).message}`);
      process.exitCode = 1;
    }
  }
  console.log(`\n${atOnce} of ${all} at the first try, ${way}${byPasskey ? ", by passkey" : ""}`);
}

function chosen(): readonly TriedApplication[] {
  const all = selected();
  // Without its logout URI, none hears of a sign-out.
  return way === "--app" ? all : all.map((each) => ({ ...each, hearsSignOut: false }));
}

function selected(): readonly TriedApplication[] {
  if (names.length > 0) return triedApplications.filter(({ app }) => names.includes(app));
  const quick = triedApplications.filter(({ toolchain }) => !toolchain.isSlow);
  return Number.isNaN(day) ? triedApplications : casesOfToday(quick, 1, day);
}

/** Prints a row, and why it is not as it should be. Returns whether it is. */
async function report(
  { app, version, learns, hearsSignOut, registers }: TriedApplication,
  { problem, learned, refreshed, signedOut, heardSignOut, seconds }: Tried,
  { run, log }: ProgramServer,
): Promise<boolean> {
  const missing = learns.filter((fact) => !learned.includes(fact));
  const isWhole = learned.length > 0 && missing.length === 0 && refreshed !== false &&
    problem === undefined && signedOut !== "no" &&
    heardSignOut === (hearsSignOut ? true : undefined);
  print([
    app,
    version,
    learned.length > 0 ? "at once" : "no",
    `${learned.join(", ")}${missing.map((fact) => `, no ${fact}`).join("")}` || "–",
    refreshed === undefined ? "–" : refreshed ? "yes" : "no",
    `${signedOut ?? "–"}${heardSignOut === undefined ? "" : heardSignOut ? ", heard" : ", deaf"}`,
    seconds.toFixed(0),
  ]);
  if (isWhole) return true;
  if (problem) console.log(`  ${problem.replaceAll("\n", "\n  ")}`);
  if (!registers) {
    console.log(await run(`hallpass doctor --client ${app} --log-file ${log} || true`));
  }
  return false;
}

function print(cells: readonly string[]): void {
  console.log(cells.map((cell, at) => cell.padEnd(columns[at] ?? 0)).join(" ").trimEnd());
}

await main();
process.exit();
