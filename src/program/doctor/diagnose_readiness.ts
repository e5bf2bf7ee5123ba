import type { Deployment, Diagnosis } from "./deployment.ts";
import { readProbe } from "./probe_response.ts";

/** How long the metrics port may take to respond, in milliseconds. */
const timeout = 3_000;

/** Asks the metrics port of a server, if there is one, for problems that its pages do not show. */
export async function diagnoseReadiness(
  { readyUrl, issuer: expected }: Pick<Deployment, "readyUrl" | "issuer">,
  ask: typeof fetch = fetch,
): Promise<Diagnosis[]> {
  if (readyUrl === undefined) return [];
  const init = { signal: AbortSignal.timeout(timeout), redirect: "error" } as const;
  const text = await ask(readyUrl, init).then((response) => response.text()).catch(() => "");
  const { issuer, reason, warning } = readProbe(text);
  if (issuer !== expected) return [];
  if (reason !== undefined) {
    return [{ level: "problem", message: `The server is not ready: ${reason}` }];
  }
  return warning === undefined ? [] : [{ level: "problem", message: warning }];
}
