import { isLoopbackHost } from "../../../server/util/addresses/uri.ts";
import { isObject } from "../../../server/util/text/json.ts";
import { describeSpan } from "../../../server/util/time/duration.ts";
import { type Invocation, operandOf, valueOf } from "../../command_line/command.ts";
import { isListening } from "../../doctor/probe.ts";
import { openChildLab } from "../../lab/child_lab.ts";
import { askLab, runningLabOf } from "../../lab_client/running_lab.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { registerRedirectUris } from "./register_redirect_uris.ts";

/**
 * Drills with the lab that runs, which is the one that the API or application trusts; otherwise,
 * with one that is started for it. Says first which one it is: it may be one of another project.
 */
export async function drillWithLab<T>(
  invocation: Invocation,
  terminal: Terminal,
  use: (lab: Invocation) => Promise<T>,
): Promise<T> {
  const port = valueOf(invocation, "port") ?? portOfIssuer(invocation) ?? "9000";
  if (invocation.values.has("lab") || await isListening("localhost", Number(port))) {
    const running = { ...invocation, values: new Map([...invocation.values, ["port", [port]]]) };
    terminal.printError(await describeLab(running));
    await registerRedirectUris(running);
    return await use(running);
  }
  const { origin, hostname } = new URL(operandOf(invocation, "URL"));
  const origins: Array<[string, string[]]> = isLoopbackHost(hostname)
    ? []
    : [["drill-origin", [origin]]];
  const values = new Map([...invocation.values, ["port", [port]], ...origins]);
  const { target, close } = await openChildLab({ ...invocation, values }, terminal);
  try {
    terminal.printError(
      `Started a lab for the drill: ${target.issuer}\n` +
        "It has new keys, which whoever keeps older ones may not fetch at once. To drill again " +
        "soon, keep 'hallpass lab' running.",
    );
    return await use({ ...invocation, values: new Map([...values, ["lab", [target.lab]]]) });
  } finally {
    await close();
  }
}

/** The port of an issuer on this machine: the lab that has it may run already. */
function portOfIssuer(invocation: Invocation): string | undefined {
  const issuer = valueOf(invocation, "issuer");
  if (issuer === undefined || !URL.canParse(issuer)) return undefined;
  const { hostname, port } = new URL(issuer);
  return isLoopbackHost(hostname) && port !== "" ? port : undefined;
}

async function describeLab(invocation: Invocation): Promise<string> {
  const time = await askLab(invocation, "/clock");
  const since = isObject(time) && typeof time.since === "string" ? Date.parse(time.since) : NaN;
  const age = Number.isNaN(since)
    ? "which runs already"
    : `which has run for ${describeSpan(Date.now() - since)}`;
  return `Using the lab at ${runningLabOf(invocation)}, ${age}.`;
}
