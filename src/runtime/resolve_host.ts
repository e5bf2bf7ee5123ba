import { lookup, Resolver } from "node:dns/promises";
import { OutboundError } from "../server/http/outbound_fetch.ts";
import { hasErrorCode } from "../server/util/text/error_message.ts";

/** Resolves a host name to addresses, until the signal aborts. */
export type ResolveHost = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Short, to leave time for the request itself. In milliseconds. */
const resolverOptions = { timeout: 1000, tries: 2 };

/** Names that no name server is asked for (RFC 6761, section 6.3). */
const localhostNames = /(^|\.)localhost\.?$/i;

/**
 * Creates a resolver for names that untrusted clients chose. It asks the name servers directly: on
 * Node and Bun, a name that never resolves keeps a thread of the system's resolver busy, and all
 * other requests wait for these few threads. It also ignores the hosts file and the search domains
 * of this machine there, which lead into its own network. Each name has a separate resolver, so
 * that it can be cancelled alone.
 *
 * @param servers The name servers. Default: those of the system.
 */
export function createUntrustedResolver(servers?: readonly string[]): ResolveHost {
  return async (hostname, signal) => {
    if (localhostNames.test(hostname)) return ["127.0.0.1"];
    const resolver = new Resolver(resolverOptions);
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      // Most hosts can be reached by IPv4, not all by IPv6.
      const pending = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
      const results = await Promise.allSettled(pending);
      if (results.every(({ status }) => status === "rejected")) await pending[0];
      return results.flatMap((result) => result.status === "fulfilled" ? result.value : []);
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };
}

/** Resolves a name as other programs on this machine do, with the hosts file. */
export async function resolveBySystem(hostname: string): Promise<string[]> {
  try {
    const resolved = await lookup(hostname, { all: true });
    return resolved.map(({ address }) => address);
  } catch (cause) {
    // Resolvers never report EPERM: Deno refused to resolve the name.
    if (!hasErrorCode(cause, "EPERM")) throw cause;
    const message = `this process has no permission for the host '${hostname}' (deno --allow-net)`;
    throw new OutboundError(message, { cause, isFinal: true });
  }
}
