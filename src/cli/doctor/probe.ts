import { lookup } from "node:dns/promises";
import { issuerUrl } from "../../protocol/issuer_url.ts";
import { printable } from "../printable.ts";
import { explainFailure } from "./explain_failure.ts";

/** What was met at an address. */
export type ProbeResult =
  | { kind: "unknown" }
  | { kind: "silent"; why: string }
  | { kind: "strange"; why: string }
  | {
    kind: "server";
    ips: readonly string[];
    metadata: Readonly<Record<string, unknown>>;
    healthy: boolean;
  };

/** The ways out of this machine. */
export interface ProbeMeans {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** The IP addresses that a name stands for here. */
  resolve(hostname: string): Promise<string[]>;
}

export const systemMeans: ProbeMeans = {
  fetch: (url, init) => fetch(url, init),
  resolve: async (hostname) =>
    (await lookup(hostname, { all: true })).map(({ address }) => address),
};

/** For so long a server may take to answer, in milliseconds. */
const timeout = 3_000;

/** Looks at a server as a client would that takes the address for its issuer. */
export async function probe(
  address: string,
  { fetch, resolve }: ProbeMeans = systemMeans,
): Promise<ProbeResult> {
  const ips = await resolve(new URL(address).hostname.replace(/^\[|\]$/g, "")).catch(() => []);
  if (ips.length === 0) return { kind: "unknown" };
  const ask = (path: string) =>
    fetch(issuerUrl(address, path), { signal: AbortSignal.timeout(timeout), redirect: "manual" });
  try {
    const metadata = await readMetadata(await ask("/.well-known/openid-configuration"));
    if (typeof metadata === "string") return { kind: "strange", why: metadata };
    const health = await ask("/health");
    await health.body?.cancel();
    return { kind: "server", ips, metadata, healthy: health.ok };
  } catch (cause) {
    return { kind: "silent", why: explainFailure(cause) };
  }
}

/** The metadata, or what came in its place. */
async function readMetadata(response: Response): Promise<Record<string, unknown> | string> {
  const text = await response.text();
  const location = response.headers.get("Location");
  if (location !== null) return `it redirects to ${printable(location)}; clients do not follow`;
  if (response.status !== 200) return `it answers with the status ${response.status}`;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return { ...value };
  } catch {
    // Told below.
  }
  return "what it answers is no JSON object";
}
