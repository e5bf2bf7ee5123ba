import type { Lab } from "../../../lab/lab.ts";
import { LabError } from "../../../lab/util/lab_error.ts";
import { isLoopbackHost } from "../../../server/util/addresses/uri.ts";
import { isObject } from "../../../server/util/text/json.ts";
import { describeSpan, parseDuration } from "../../../server/util/time/duration.ts";
import { type Invocation, operandOf, valueOf } from "../../command_line/command.ts";
import { isListening } from "../../doctor/probe.ts";
import { openChildLab } from "../../lab/child_lab.ts";
import { askLab, refusalIn, runningLabOf } from "../../lab_client/running_lab.ts";
import { UsageError } from "../../terminal/exit_code.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { defaultWait } from "./command_line.ts";
import { registerRedirectUris } from "./register_redirect_uris.ts";

/** How long to wait before looking again whether an application listens, in milliseconds. */
const interval = 250;

/**
 * Drills with the lab that runs, which is the one that the API or application trusts; otherwise,
 * with one that is started for it. Says first which one it is: it may be one of another project.
 */
export async function drillWithLab<T>(
  invocation: Invocation,
  terminal: Terminal,
  use: (asked: Invocation, started?: Lab) => Promise<T>,
): Promise<T> {
  const port = valueOf(invocation, "port") ?? portOfIssuer(invocation) ?? "9000";
  if (invocation.values.has("lab") || await isListening("localhost", Number(port))) {
    if (invocation.values.has("browser")) throw runsAlready(runningLabOf(invocation));
    const running = { ...invocation, values: new Map([...invocation.values, ["port", [port]]]) };
    terminal.printError(await describeLab(running));
    await registerRedirectUris(running);
    await waitUntilItListens(invocation, terminal);
    return await use(running);
  }
  const { origin, hostname } = new URL(operandOf(invocation, "URL"));
  const origins: Array<[string, string[]]> = isLoopbackHost(hostname)
    ? []
    : [["drill-origin", [origin]]];
  const values = new Map([...invocation.values, ["port", [port]], ...origins]);
  const { lab, target, close } = await openChildLab({ ...invocation, values }, terminal);
  try {
    terminal.printError(`Started a lab for the drill: ${target.issuer}`);
    if (!values.has("browser")) {
      terminal.printError(
        "It has new keys. An application that keeps those of an earlier lab may refuse them for a " +
          "while: to drill again soon, keep 'hallpass lab' running.",
      );
    }
    await waitUntilItListens(invocation, terminal);
    return await use({ ...invocation, values: new Map([...values, ["lab", [target.lab]]]) }, lab);
  } finally {
    await close();
  }
}

/** Only a process that a person started for it opens a browser: no lab does, which others ask. */
function runsAlready(address: string): UsageError {
  return new UsageError(
    `A drill in a browser starts its own lab, and something runs at ${address} already. Stop ` +
      "that, or name another port with --port, and its issuer to the application.",
  );
}

/** The port of an issuer on this machine: the lab that has it may run already. */
function portOfIssuer(invocation: Invocation): string | undefined {
  const issuer = valueOf(invocation, "issuer");
  if (issuer === undefined || !URL.canParse(issuer)) return undefined;
  const { hostname, port } = new URL(issuer);
  return isLoopbackHost(hostname) && port !== "" ? port : undefined;
}

/** Describes the lab that runs, and names the options that only a lab which starts can obey. */
async function describeLab(invocation: Invocation): Promise<string> {
  const url = runningLabOf(invocation);
  const time = await askLab(invocation, "/clock");
  if (!isObject(time) || typeof time.since !== "string") {
    if (isObject(time) && time.error !== undefined) throw new LabError(refusalIn(time));
    throw new LabError(
      `${url} responds, and is no lab. Stop what runs there, or name another port with --port, ` +
        "and its issuer to the application.",
    );
  }
  const ignored = ["config", "any-client"].filter((name) => invocation.values.has(name));
  return [
    `Using the lab at ${url}, which has run for ${
      describeSpan(Date.now() - Date.parse(time.since))
    }.`,
    ...ignored.map((name) => `It runs already, so --${name} has no effect on it.`),
  ].join("\n");
}

/**
 * Waits for an application that is being started: one that reads the metadata of its issuer for that
 * needs the lab first. What only a lab elsewhere can reach looks as if it did not listen.
 */
async function waitUntilItListens(invocation: Invocation, { printError }: Terminal): Promise<void> {
  const { origin, hostname, port, protocol } = new URL(operandOf(invocation, "URL"));
  if (invocation.values.has("lab") && !isLoopbackHost(hostname)) return;
  const wait = valueOf(invocation, "wait") ?? defaultWait;
  const end = performance.now() + Number(parseDuration(wait)) * 1000;
  const number = Number(port || (protocol === "https:" ? 443 : 80));
  const listens = () => isListening(hostname.replace(/^\[|\]$/g, ""), number);
  if (await listens()) return;
  printError(
    `Waiting up to ${describeSpan(Number(parseDuration(wait)) * 1000)} for ${origin} to respond. ` +
      "The lab runs: the application can start now.",
  );
  while (performance.now() < end && !await listens()) {
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}
