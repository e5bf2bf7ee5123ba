import { basePath } from "../protocol/issuer_url.ts";
import { messageOf } from "../util/error_message.ts";
import {
  type Command,
  failure,
  type Invocation,
  success,
  type Terminal,
  valueOf,
} from "./command.ts";
import { readConfiguration } from "./configuration.ts";
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
    const url = valueOf(invocation, "url") ?? await healthUrl(invocation, terminal);
    try {
      const response = await fetch(url, {
        signal: AbortSignal.timeout(timeout),
        redirect: "error",
      });
      await response.body?.cancel();
      terminal.print(`${url} responded with status ${response.status}`);
      return response.ok ? success : failure;
    } catch (cause) {
      terminal.printError(`${url} did not respond: ${messageOf(cause)}`);
      return failure;
    }
  },
};

/** With TLS, the host is that of the certificate; otherwise the address the server listens on. */
async function healthUrl(invocation: Invocation, terminal: Terminal): Promise<string> {
  const { program, server } = await readConfiguration(invocation, terminal.environment);
  const path = `${server.issuer === undefined ? "" : basePath(server.issuer)}/health`;
  if (program.cert && server.issuer) return new URL(server.issuer).origin + path;
  const { host: name = "localhost" } = program;
  const host = loopbackOf[name] ?? name;
  const scheme = program.cert ? "https" : "http";
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${program.port}${path}`;
}
