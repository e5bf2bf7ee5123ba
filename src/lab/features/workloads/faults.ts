import { parseDuration } from "../../../server/util/time/duration.ts";
import type { WireResponse } from "../../recording/exchange.ts";
import type { FaultKind } from "../faults/fault.ts";
import { sourceNames, sourcePaths, type WorkloadSource } from "./source_paths.ts";

/** The name of a fault at a source of workloads' tokens, after which a client must ask again. */
export type WorkloadFaultName =
  | `azure.${"too_many_requests" | "gone" | "server_error"}`
  | `google.${"too_many_requests" | "unavailable"}`
  | "github.unavailable"
  | "kubernetes.too_many_requests"
  | `${WorkloadSource}.slow`;

const overLimit = "is over its limit: 429";

export const workloadFaults: Record<WorkloadFaultName, FaultKind> = {
  "azure.too_many_requests": failing("azure", "too_many_requests", overLimit),
  "azure.gone": failing("azure", "gone", "is updated, which takes up to 70 seconds: 410"),
  "azure.server_error": failing("azure", "server_error", "has a transient error: 500"),
  "google.too_many_requests": failing("google", "too_many_requests", overLimit),
  "google.unavailable": failing("google", "unavailable", "is not ready: 503"),
  "github.unavailable": failing("github", "unavailable", "is not ready: 503"),
  "kubernetes.too_many_requests": failing("kubernetes", "too_many_requests", overLimit),
  "azure.slow": slow("azure"),
  "google.slow": slow("google"),
  "github.slow": slow("github"),
  "kubernetes.slow": slow("kubernetes"),
};

function failing(source: WorkloadSource, failure: string, what: string): FaultKind {
  return {
    ...describing(source, what),
    async respond(context) {
      const { sources } = await import("./source.ts");
      const { headers, failures } = sources[source];
      const { status = 503, body = "" } = failures[failure] ?? {};
      const isText = typeof body === "string";
      const type = isText ? "text/plain; charset=utf-8" : "application/json";
      const seconds = Math.ceil(parseDuration(context.fault.delay) ?? 1);
      const retryAfter: WireResponse["headers"] = [["Retry-After", String(seconds)]];
      return {
        status,
        headers: [
          ["Content-Type", type],
          ...Object.entries(headers),
          ...status === 429 ? retryAfter : [],
        ],
        body: isText ? body : JSON.stringify(body),
      };
    },
  };
}

/** A service that starts, or a network that is not ready. */
function slow(source: WorkloadSource): FaultKind {
  return {
    ...describing(source, "responds after 'delay', or 5 seconds"),
    async respond({ wait, fault }, proceed) {
      await wait(1000 * (parseDuration(fault.delay) ?? 5));
      return await proceed();
    },
  };
}

function describing(source: WorkloadSource, what: string) {
  return {
    summary: `The ${sourceNames[source]} ${what}.`,
    appliesTo: ({ path }: { path: string }) => sourcePaths[source].test(path),
  };
}
