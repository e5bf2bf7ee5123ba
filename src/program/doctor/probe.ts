import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { explainFailure } from "../../server/util/text/explain_failure.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { printable } from "../terminal/printable.ts";

/** What was found at an address. */
export type ProbeResult =
  | { kind: "unresolved" }
  | { kind: "unreachable"; reason: string }
  | { kind: "no metadata"; reason: string }
  | {
    kind: "server";
    ips: readonly string[];
    metadata: Readonly<Record<string, unknown>>;
    healthy: boolean;
  };

/** The network as this machine sees it. */
export interface ProbeNetwork {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Returns the IP addresses of a name. */
  resolve(hostname: string): Promise<string[]>;
}

/** How long a server may take to respond, in milliseconds. */
const timeout = 3_000;

/** What a proxy responds whose server is not there (RFC 9110, sections 15.6.3 to 15.6.5). */
const gatewayErrors: ReadonlySet<number> = new Set([502, 503, 504]);

const systemNetwork: ProbeNetwork = {
  fetch: (url, init) => fetch(url, init),
  resolve: async (hostname) =>
    (await lookup(hostname, { all: true })).map(({ address }) => address),
};

/** Whether anything listens on a port of this machine. */
export function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout });
    const finish = (listens: boolean) => {
      socket.destroy();
      resolve(listens);
    };
    socket.on("connect", () => finish(true));
    socket.on("error", () => finish(false));
    socket.on("timeout", () => finish(false));
  });
}

/** Looks at an address as a client does that uses it as the issuer. */
export async function probe(
  address: string,
  network: ProbeNetwork = systemNetwork,
): Promise<ProbeResult> {
  const hostname = new URL(address).hostname.replace(/^\[|\]$/g, "");
  const ips = await network.resolve(hostname).catch(() => []);
  if (ips.length === 0) return { kind: "unresolved" };
  const get = (path: string) =>
    network.fetch(issuerUrl(address, path), {
      signal: AbortSignal.timeout(timeout),
      redirect: "manual",
    });
  try {
    const metadata = await readMetadata(await get("/.well-known/openid-configuration"));
    if (typeof metadata === "string") return { kind: "no metadata", reason: metadata };
    const health = await get("/health");
    await health.body?.cancel();
    return { kind: "server", ips, metadata, healthy: health.ok };
  } catch (cause) {
    return { kind: "unreachable", reason: printable(explainFailure(cause)) };
  }
}

/** Reads the metadata, or returns why the response holds none. */
async function readMetadata(response: Response): Promise<Record<string, unknown> | string> {
  const text = await response.text();
  const location = response.headers.get("Location");
  if (location !== null) return `it redirects to ${printable(location)}; clients do not follow`;
  if (gatewayErrors.has(response.status)) {
    return `a proxy responds with status ${response.status}, because it does not reach the server`;
  }
  if (response.status !== 200) return `it responds with status ${response.status}`;
  const metadata = parseJson(text);
  return isObject(metadata) ? metadata : "its response is not a JSON object";
}
