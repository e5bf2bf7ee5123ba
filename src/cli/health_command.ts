import { basePath } from "../protocol/issuer_url.ts";
import { messageOf } from "../util/error_message.ts";
import { type Command, done, failed, type Invocation, type Terminal, valueOf } from "./command.ts";
import { readConfiguration } from "./configuration.ts";
import { config, host, issuer, port, url } from "./options.ts";

/** For so long a server may take to say that it is well, in milliseconds. */
const timeout = 3_000;

/** Asks a server whether it can do its work, for the probe of a container. */
export const health: Command = {
  name: "health",
  help: "asks the running server whether it can do its work; the exit code is 0 or 1",
  options: [url, config, port, host, issuer],
  async run(invocation, terminal) {
    const asked = valueOf(invocation, "url") ?? await healthUrl(invocation, terminal);
    try {
      const response = await fetch(asked, {
        signal: AbortSignal.timeout(timeout),
        redirect: "error",
      });
      await response.body?.cancel();
      terminal.print(`${asked} answers with the status ${response.status}`);
      return response.ok ? done : failed;
    } catch (cause) {
      terminal.complain(`${asked} does not answer: ${messageOf(cause)}`);
      return failed;
    }
  },
};

/** Whoever listens on all addresses is asked at the loopback one of the same kind; a name could lead to the other. */
const everywhere: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** With TLS under the name of the certificate, otherwise where the server listens on this machine. */
async function healthUrl(invocation: Invocation, terminal: Terminal): Promise<string> {
  const { program, server } = await readConfiguration(invocation, terminal.environment);
  const base = server.issuer === undefined ? "" : basePath(server.issuer);
  if (program.cert && server.issuer) return `${new URL(server.issuer).origin}${base}/health`;
  const host = everywhere[program.host ?? ""] ?? program.host ?? "localhost";
  return `${program.cert ? "https" : "http"}://${
    host.includes(":") ? `[${host}]` : host
  }:${program.port}${base}/health`;
}
