import type { Lab } from "../../lab/lab.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import type { Invocation } from "../command_line/command.ts";
import { listenAddressOf } from "../configuration/configuration.ts";
import { startServer } from "../operate/start_server.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { createLabStart, planLab } from "./prepare_lab.ts";

/** Where a lab is. */
export interface LabTarget {
  issuer: string;
  /** The port on which the lab listens. */
  port: number;
  /** The address of the lab's interface over HTTP. */
  lab: string;
  /** The file with the certificate to trust, if the lab made one. */
  ca: string | undefined;
}

/**
 * Opens the lab that the command line asks for, on a free port unless it names one. The lab keeps
 * everything in memory, and ends with the command that opened it.
 */
export async function openChildLab(
  invocation: Invocation,
  terminal: Terminal,
): Promise<{ lab: Lab; target: LabTarget; close(): Promise<void> }> {
  const values = new Map([["port", ["0"]], ...invocation.values]);
  const { caFile: ca, realHosts: _hosts, given: _given, ...plan } = await planLab(
    { ...invocation, values },
    terminal,
  );
  const { program } = plan.configuration;
  plan.configuration.program = { ...program, store: "memory" };
  plan.site.metrics = undefined;
  const { server, site, stop } = await startServer(createLabStart(plan), {
    onEvent: () => {},
    warn: terminal.printError,
  });
  const { issuer, port } = site;
  const lab = issuerUrl(listenAddressOf(site, port), "/lab");
  return { lab: server, target: { issuer, port, lab, ca }, close: stop };
}
