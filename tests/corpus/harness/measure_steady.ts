import process from "node:process";
import type { ApplicationBug } from "../broken/bug.ts";
import { clientOf } from "../broken/open_site.ts";
import { Site, usual } from "../broken/site.ts";
import { drill, type Drilled } from "./measured_lab.ts";
import { findPort, type RunningProcess, startProcess, untilItResponds } from "./processes.ts";
import { openProgramLab, putClient } from "./program_lab.ts";

/** What keeps a drill from its usual pace. */
export type Hindrance = keyof typeof hindrances;

/** A lab and an application, each in a process of its own. */
interface Hindered {
  lab: RunningProcess;
  application: RunningProcess;
}

/** What a lab says of one application must not depend on any of these. */
export const hindrances = {
  "two in a row": () => [],
  "eight busy loops": () =>
    Array.from({ length: 8 }, () => startProcess([process.execPath, "eval", "while (true);"])),
  "the application at a tenth": ({ application }) => [holdBack(application)],
  "the lab at a tenth": ({ lab }) => [holdBack(lab)],
} satisfies Record<string, (running: Hindered) => AsyncDisposable[]>;

/** Drills the application by hand, or with a bug: undisturbed, and then with hindrances. */
export async function drillHindered(
  bug: ApplicationBug | undefined,
  chosen: readonly Hindrance[],
): Promise<{ idle: Drilled; hindered: Array<[Hindrance, Drilled]> }> {
  await using lab = await openProgramLab();
  const port = await findPort();
  const origin = `http://localhost:${port}`;
  const configuration = { ...usual, ...bug?.configuration };
  const site = new Site({ issuer: lab.issuer, origin, now: Date.now, configuration, fetch });
  await putClient(lab, { ...await clientOf(site, configuration), ...bug?.registered });
  const script = new URL("served_site.ts", import.meta.url).pathname;
  const flags = ["--cached-only", "--allow-all", "--no-check"];
  const command = [process.execPath, "run", ...flags, script, lab.issuer, String(port)];
  await using application = startProcess([...command, ...bug ? [bug.bug] : []]);
  await untilItResponds(`${origin}/`, application, 60);
  const at = (path: string) => origin + path;
  const urls = { start: at("/account"), refresh: at("/refresh"), logout: at("/logout") };
  const drillOnce = () => drill(lab, { ...urls, check: urls.start });
  const idle = await drillOnce();
  const hindered: Array<[Hindrance, Drilled]> = [];
  for (const name of chosen) {
    const added = hindrances[name]({ lab: lab.started, application });
    try {
      hindered.push([name, await drillOnce()]);
    } finally {
      for (const each of added) await each[Symbol.asyncDispose]();
    }
  }
  return { idle, hindered };
}

/** Lets a process run for a tenth of the time. */
function holdBack({ signal }: RunningProcess): AsyncDisposable {
  let isOver = false;
  const wait = (milliseconds: number) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));
  const held = (async () => {
    while (!isOver) {
      signal("SIGSTOP");
      await wait(90);
      signal("SIGCONT");
      await wait(10);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      await held;
    },
  };
}

/** Returns what a hindered drill says that the idle one does not: that may never be more. */
export function unsteadyIn(idle: Drilled, { grade, findings, problem }: Drilled): string[] {
  if (problem !== undefined) return [`it fails: ${problem}`];
  const known = idle.findings.map(({ id }) => id);
  const added = findings.map(({ id }) => id).filter((id) => !known.includes(id));
  return [
    ...added.map((id) => `it finds ${id}`),
    ...grade === undefined || grade === idle.grade ? [] : [`its grade is ${grade}`],
  ];
}
