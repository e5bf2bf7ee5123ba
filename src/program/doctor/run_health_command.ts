import { basePath } from "../../server/protocol/issuer_url.ts";
import { explainFailure } from "../../server/util/text/explain_failure.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { type Invocation, valueOf } from "../command_line/command.ts";
import { readConfiguration, urlOfAddress } from "../configuration/configuration.ts";
import { readyUrlOf, type Site, siteOf } from "../operate/site.ts";
import { failure, success } from "../terminal/exit_code.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** How long the server may take to respond, in milliseconds. */
const timeout = 3_000;

/** How long to wait before asking again, in milliseconds. */
const pause = 250;

/** What to ask, and which server should respond; undefined accepts every server. */
interface HealthProbe {
  url: string;
  expectedIssuer: string | undefined;
}

/** Asks a running server whether it is healthy, until it is or the time to wait is over. */
export async function runHealthCommand(
  invocation: Invocation,
  terminal: Terminal,
): Promise<number> {
  const asked = await probeOf(invocation, terminal);
  const end = performance.now() + Number(valueOf(invocation, "wait") ?? 0) * 1000;
  let verdict = await askServer(asked);
  while (!verdict.isHealthy && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    verdict = await askServer(asked);
  }
  const { isHealthy, message } = verdict;
  if (isHealthy) terminal.print(message);
  else terminal.printError(message);
  return isHealthy ? success : failure;
}

/**
 * Reads the response to a probe: the issuer, why the server is not ready, or what else is wrong.
 * That of another program has none of the members.
 */
export function readProbe(text: string) {
  const body = parseJson(text);
  // A server that starts does not know its issuer yet, which is then empty.
  const member = (name: string) => {
    const value = isObject(body) ? body[name] : undefined;
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return { issuer: member("issuer"), reason: member("reason"), warning: member("warning") };
}

async function askServer(
  { url, expectedIssuer }: HealthProbe,
): Promise<{ isHealthy: boolean; message: string }> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(timeout),
      redirect: "error",
    });
    const { issuer, reason, warning = "" } = readProbe(await response.text());
    if (expectedIssuer !== undefined && issuer !== undefined && issuer !== expectedIssuer) {
      const message = `${url} responded, but as the server of ${issuer}`;
      return { isHealthy: false, message };
    }
    const why = reason ?? warning;
    const message = `${url} responded with status ${response.status}${why && `: ${why}`}`;
    return { isHealthy: response.ok, message };
  } catch (cause) {
    return {
      isHealthy: false,
      message: `${url} did not respond: ${printable(explainFailure(cause))}`,
    };
  }
}

async function probeOf(invocation: Invocation, terminal: Terminal): Promise<HealthProbe> {
  const url = valueOf(invocation, "url");
  if (url !== undefined) return { url, expectedIssuer: undefined };
  const configuration = await readConfiguration(invocation, terminal.environment);
  const site = await siteOf(invocation, configuration, terminal.environment);
  const expectedIssuer = configuration.server.issuer;
  return { url: probeUrl(site, expectedIssuer), expectedIssuer };
}

/**
 * Returns where to ask: the metrics port knows whether the server can work, the server itself only
 * that its process lives. With TLS, the host is that of the certificate.
 */
function probeUrl(site: Site, issuer: string | undefined): string {
  const readyUrl = readyUrlOf(site);
  if (readyUrl !== undefined) return readyUrl;
  const { host, port, hasTls } = site;
  const path = `${issuer === undefined ? "" : basePath(issuer)}/health`;
  if (hasTls && issuer !== undefined) return new URL(issuer).origin + path;
  return urlOfAddress(host, port, hasTls ? "https" : "http") + path;
}
