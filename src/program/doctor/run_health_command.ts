import { basePath } from "../../server/protocol/issuer_url.ts";
import { type Invocation, valueOf } from "../command_line/command.ts";
import { readConfiguration, urlOfAddress } from "../configuration/configuration.ts";
import { readyUrlOf, type Site, siteOf } from "../operate/site.ts";
import { failure, success } from "../terminal/exit_code.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { explainFailure } from "./explain_failure.ts";
import { readProbe } from "./probe_response.ts";

/** How long the server may take to respond, in milliseconds. */
const timeout = 3_000;

/** Asks a running server whether it is healthy. */
export async function runHealthCommand(
  invocation: Invocation,
  terminal: Terminal,
): Promise<number> {
  const { url, expectedIssuer } = await probeOf(invocation, terminal);
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(timeout),
      redirect: "error",
    });
    const { issuer, reason, warning = "" } = readProbe(await response.text());
    if (expectedIssuer !== undefined && issuer !== undefined && issuer !== expectedIssuer) {
      terminal.printError(`${url} responded, but as the server of ${issuer}`);
      return failure;
    }
    const message = reason ?? warning;
    const why = message === "" ? "" : `: ${message}`;
    terminal.print(`${url} responded with status ${response.status}${why}`);
    return response.ok ? success : failure;
  } catch (cause) {
    terminal.printError(`${url} did not respond: ${explainFailure(cause)}`);
    return failure;
  }
}

/** What to ask, and which server should respond; undefined accepts every server. */
interface HealthProbe {
  url: string;
  expectedIssuer: string | undefined;
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
