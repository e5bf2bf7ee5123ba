import type { Lab } from "../../../lab/lab.ts";
import type { LabProbe } from "../../../lab/layers/probe.ts";
import { issuerUrl } from "../../../server/protocol/issuer_url.ts";
import type { Invocation } from "../../command_line/command.ts";
import { listenAddressOf } from "../../configuration/configuration.ts";
import { createLabStart, type LabPlan, planLab } from "../../lab/prepare_lab.ts";
import { type RunningServer, startServer } from "../../operate/start_server.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import type { OpenLabForRun, VettedLab } from "./runs/suite_runner.ts";
import type { SuiteTarget } from "./suite_target.ts";

/** A planned lab, which is opened anew for each run of a suite. */
export interface VettedLabs {
  open: OpenLabForRun<SuiteTarget>;
  /** The issuer of every lab, if the configuration names one. */
  issuer: string | undefined;
}

/** Reads what labs the command line asks for. They keep everything in memory. */
export async function planVettedLabs(
  invocation: Invocation,
  terminal: Terminal,
): Promise<VettedLabs> {
  const { caFile, realHosts: _hosts, ...plan } = await planLab(withFreePort(invocation), terminal);
  const { program } = plan.configuration;
  plan.configuration.program = { ...program, store: "memory" };
  plan.site.metrics = undefined;
  return {
    issuer: plan.configuration.server.issuer,
    async open(probe, job) {
      const running = await startServer(createLabStart(planOfJob(plan, probe, job)), {
        onEvent: () => {},
        warn: terminal.printError,
      });
      return toVettedLab(running, { job, ca: caFile });
    },
  };
}

function withFreePort(invocation: Invocation): Invocation {
  const values = new Map([["port", ["0"]], ...invocation.values]);
  return { ...invocation, values };
}

/** The jobs beside the first one listen on the ports above its own. */
function planOfJob(plan: LabPlan, probe: LabProbe, job: number): LabPlan {
  const { port } = plan.site;
  const own = port === 0 ? 0 : port + job - 1;
  return { ...plan, probe, site: { ...plan.site, port: own } };
}

function toVettedLab(
  { site, stop }: RunningServer<Lab>,
  { job, ca }: Pick<SuiteTarget, "job" | "ca">,
): VettedLab<SuiteTarget> {
  const { issuer, port } = site;
  const lab = issuerUrl(listenAddressOf(site, port), "/lab");
  return { target: { issuer, port, lab, ca, job }, close: stop };
}
