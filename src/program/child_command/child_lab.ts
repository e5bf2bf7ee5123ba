import type { Lab } from "../../lab/lab.ts";
import type { LabProbe } from "../../lab/layers/probe.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import type { Invocation } from "../command_line/command.ts";
import { listenAddressOf } from "../configuration/configuration.ts";
import { createLabStart, type LabPlan, planLab } from "../lab/prepare_lab.ts";
import { startServer } from "../operate/start_server.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface LabTarget {
  issuer: string;
  /** The port on which the lab listens. */
  port: number;
  /** The address of the lab's interface over HTTP. */
  lab: string;
  /** The file with the certificate to trust, if the lab made one. */
  ca: string | undefined;
  /** The number of the job, counted from 1. */
  job: number;
}

const placeholders: ReadonlyArray<keyof LabTarget> = ["issuer", "port", "lab", "ca", "job"];
const placeholder = new RegExp(`\\{(${placeholders.join("|")})\\}`, "g");

/** Labs for commands of the user, planned once. Each keeps everything in memory. */
export type ChildLabs = Awaited<ReturnType<typeof planChildLabs>>;

export interface LabUse {
  /** The number of the job, counted from 1. */
  job?: number;
  /** What watches the lab, if anything does. */
  probe?: LabProbe;
}

/** Reads what labs the command line asks for: on a free port, unless it names one. */
export async function planChildLabs(
  invocation: Invocation,
  terminal: Terminal,
) {
  const values = new Map([["port", ["0"]], ...invocation.values]);
  const { caFile: ca, realHosts: _hosts, given: _given, ...plan } = await planLab(
    { ...invocation, values },
    terminal,
  );
  const { program } = plan.configuration;
  plan.configuration.program = { ...program, store: "memory" };
  plan.site.metrics = undefined;
  return {
    /** The issuer of every lab, if the configuration names one. */
    issuer: plan.configuration.server.issuer,
    async open(use: LabUse = {}): Promise<{ lab: Lab; target: LabTarget; close(): Promise<void> }> {
      const { server, site, stop } = await startServer(createLabStart(planFor(use, plan)), {
        onEvent: () => {},
        warn: terminal.printError,
      });
      const { issuer, port } = site;
      const lab = issuerUrl(listenAddressOf(site, port), "/lab");
      return { lab: server, target: { issuer, port, lab, ca, job: use.job ?? 1 }, close: stop };
    },
  };
}

/** The jobs besides the first one listen on the ports above its own. */
function planFor({ job = 1, probe }: LabUse, plan: LabPlan): LabPlan {
  const { port } = plan.site;
  const own = port === 0 ? 0 : port + job - 1;
  return { ...plan, ...probe && { probe }, site: { ...plan.site, port: own } };
}

export function fillIn(text: string, target: LabTarget): string {
  return text.replace(placeholder, (_, name: keyof LabTarget) => String(target[name] ?? ""));
}

/** Returns why a text has a placeholder that nothing replaces, or undefined. */
export function placeholderProblem(text: string): string | undefined {
  const known = placeholders.map((name) => `{${name}}`);
  const [unknown] = (text.match(/\{[A-Za-z]\w*\}/g) ?? []).filter((each) => !known.includes(each));
  if (unknown === undefined) return undefined;
  return `has the unknown placeholder ${unknown}; there are ${known.join(", ")}`;
}

export function namesLab(text: string): boolean {
  return [...text.matchAll(placeholder)].some(([, name]) => name !== "job" && name !== "ca");
}
