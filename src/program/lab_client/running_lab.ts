import { parseUrl } from "../../server/util/addresses/uri.ts";
import { explainFailure } from "../../server/util/text/explain_failure.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { type Invocation, type Option, valueOf } from "../command_line/command.ts";
import { labToken } from "../command_line/lab_options.ts";
import { labUrl, port } from "../command_line/options.ts";
import { anyPort } from "../terminal/exit_code.ts";
import { printable } from "../terminal/printable.ts";

/** How long the lab may take to respond, in milliseconds. */
const timeout = 10_000;

/** The port of a lab that needs no URL. `HALLPASS_PORT` names it for the lab as well. */
const labPort: Option = { ...port, help: "the port of a lab on this machine (default 9000)" };

/** The options of a command that asks a lab that runs. */
export const runningLabOptions: readonly Option[] = [labUrl, labPort, labToken];

/**
 * Returns the address of the running lab that the command line names, without a slash. It may name
 * the lab's pages, as the guide does; a host may be called "lab".
 */
export function runningLabOf(invocation: Invocation): string {
  const usedPort = valueOf(invocation, "port") ?? "9000";
  const address = valueOf(invocation, "lab") ?? `http://localhost:${usedPort}`;
  if (parseUrl(address)?.port === "0") throw anyPort("the lab", "--lab URL or --port");
  return address.replace(/((?<!\/)\/lab)?\/?$/, "");
}

/** Sends a request to the interface of a running lab: a POST if there is a body. */
export async function askLab(
  invocation: Invocation,
  path: string,
  body?: unknown,
  { milliseconds = timeout, method = body === undefined ? "GET" : "POST" } = {},
): Promise<unknown> {
  return await fetchJson(`${runningLabOf(invocation)}/lab`, path, {
    method,
    headers: { "Content-Type": "application/json", ...authorizationOf(invocation) },
    ...body !== undefined && { body: JSON.stringify(body) },
    signal: AbortSignal.timeout(milliseconds),
  });
}

/** Requests the metadata of a running lab. A provider that it plays may have them elsewhere. */
export async function fetchMetadata(invocation: Invocation): Promise<unknown> {
  const signal = AbortSignal.timeout(timeout);
  return await fetchJson(runningLabOf(invocation), "/.well-known/openid-configuration", { signal });
}

async function fetchJson(url: string, path: string, options: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(`${url}${path}`, { ...options, redirect: "error" });
    return parseJson(await response.text());
  } catch (cause) {
    throw new Error(`No lab responds at ${url}: ${printable(explainFailure(cause))}`);
  }
}

/** Returns why a lab refused a request, by the body of its response. */
export function refusalIn(body: unknown): string {
  const description = isObject(body) ? body.error_description : undefined;
  return String(description ?? "The response is not that of a lab.");
}

/** Requests the events of a running lab from now on, as a stream. */
export async function requestEvents(
  invocation: Invocation,
  signal: AbortSignal,
): Promise<Response> {
  const headers = { Accept: "text/event-stream", ...authorizationOf(invocation) };
  const url = `${runningLabOf(invocation)}/lab/events`;
  return await fetch(url, { headers, signal, redirect: "error" });
}

/** Returns the header with the token of the lab that the command line names. */
export function authorizationOf(invocation: Invocation): { Authorization?: string } {
  const token = valueOf(invocation, "lab-token");
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}
