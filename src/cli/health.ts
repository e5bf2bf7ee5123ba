import { basePath } from "../protocol/issuer_url.ts";
import type { Call, Command, World } from "./command.ts";
import { done, failed, valueOf } from "./command.ts";
import { messageOf } from "../protocol/message_of.ts";
import { readConfiguration } from "./configuration.ts";
import { config, host, issuer, port, url } from "./options.ts";

/** For so long a server may take to say that it is well, in milliseconds. */
const patience = 3_000;

/** Asks a server whether it can do its work, for the probe of a container. */
export const health: Command = {
  name: "health",
  help: "asks the running server whether it can do its work; the exit code is 0 or 1",
  options: [url, config, port, host, issuer],
  async run(call, world) {
    const asked = valueOf(call, "url") ?? await healthUrl(call, world);
    try {
      const response = await fetch(asked, { signal: AbortSignal.timeout(patience), redirect: "error" });
      await response.body?.cancel();
      world.print(`${asked} answers with the status ${response.status}`);
      return response.ok ? done : failed;
    } catch (cause) {
      world.complain(`${asked} does not answer: ${messageOf(cause)}`);
      return failed;
    }
  },
};

/** Whoever listens on all addresses is asked at the loopback one of the same kind; a name could lead to the other. */
const everywhere: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** With TLS under the name of the certificate, otherwise where the server listens on this machine. */
async function healthUrl(call: Call, world: World): Promise<string> {
  const { program, server } = await readConfiguration(call, world.environment);
  const base = server.issuer === undefined ? "" : basePath(server.issuer);
  if (program.cert && server.issuer) return `${new URL(server.issuer).origin}${base}/health`;
  const host = everywhere[program.host ?? ""] ?? program.host ?? "localhost";
  return `${program.cert ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${program.port}${base}/health`;
}
