import { basePath } from "../protocol/issuer_url.ts";
import { messageOf } from "../util/error_message.ts";
import { isObject, parseJson } from "../util/json.ts";
import {
  type Command,
  failure,
  type Invocation,
  success,
  type Terminal,
  valueOf,
} from "./command.ts";
import { type Configuration, readConfiguration } from "./configuration.ts";
import { config, host, issuer, port, url } from "./options.ts";

/** How long the server may take to respond, in milliseconds. */
const timeout = 3_000;

/**
 * The loopback address that stands for all addresses of its family; `localhost` could mean the
 * other one.
 */
const loopbackOf: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Asks a running server whether it is healthy, as a container's probe. */
export const health: Command = {
  name: "health",
  help: "asks the running server whether it is healthy; the exit code is 0 or 1",
  options: [url, config, port, host, issuer],
  async run(invocation, terminal) {
    const { url, expectedIssuer } = await probeOf(invocation, terminal);
    try {
      const response = await fetch(url, {
        signal: AbortSignal.timeout(timeout),
        redirect: "error",
      });
      const issuer = issuerIn(await response.text());
      if (expectedIssuer !== undefined && issuer !== undefined && issuer !== expectedIssuer) {
        terminal.printError(`${url} responded, but as the server of ${issuer}`);
        return failure;
      }
      terminal.print(`${url} responded with status ${response.status}`);
      return response.ok ? success : failure;
    } catch (cause) {
      terminal.printError(`${url} did not respond: ${messageOf(cause)}`);
      return failure;
    }
  },
};

/** What to ask, and which server should respond; undefined accepts every server. */
interface HealthProbe {
  url: string;
  expectedIssuer: string | undefined;
}

async function probeOf(invocation: Invocation, terminal: Terminal): Promise<HealthProbe> {
  const url = valueOf(invocation, "url");
  if (url !== undefined) return { url, expectedIssuer: undefined };
  const configuration = await readConfiguration(invocation, terminal.environment);
  return { url: healthUrl(configuration), expectedIssuer: configuration.server.issuer };
}

/** The issuer that a health response names. */
function issuerIn(text: string): string | undefined {
  const body = parseJson(text);
  return isObject(body) && typeof body.issuer === "string" ? body.issuer : undefined;
}

/** With TLS, the host is that of the certificate; otherwise the address the server listens on. */
function healthUrl({ program, server }: Configuration): string {
  const path = `${server.issuer === undefined ? "" : basePath(server.issuer)}/health`;
  if (program.cert && server.issuer) return new URL(server.issuer).origin + path;
  const { host: name = "localhost" } = program;
  const host = loopbackOf[name] ?? name;
  const scheme = program.cert ? "https" : "http";
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${program.port}${path}`;
}
