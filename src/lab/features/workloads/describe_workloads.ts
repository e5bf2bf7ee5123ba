import { issuerUrl } from "../../../server/protocol/issuer_url.ts";
import { isObject } from "../../../server/util/text/json.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { WorkloadsSetting } from "./config.ts";
import { fill, sources } from "./source.ts";
import type { WorkloadSource } from "./source_paths.ts";

/** A workload that gets tokens from the lab. */
export interface PlayedWorkload {
  /** Where it gets them. */
  source: WorkloadSource;
  /** The issuer of its tokens, which has metadata and keys. */
  issuer: string;
  /** The environment variables that lead its libraries to the lab. */
  environment: Record<string, string>;
  /** What its tokens say about it. */
  claims: Record<string, unknown>;
}

export function describeWorkloads({ issuer: labIssuer, settings }: CoreLab): PlayedWorkload[] {
  const { workloads } = settings.config<WorkloadsSetting>();
  const { claims: chosen = {} } = typeof workloads === "object" ? workloads : {};
  const url = issuerUrl(labIssuer, "");
  const { host } = new URL(labIssuer);
  return Object.entries(sources).map(([name, { issuerPath, environment, claims }]) => {
    const source = name as WorkloadSource;
    const issuer = issuerUrl(labIssuer, issuerPath);
    const own = isObject(chosen[source]) ? chosen[source] : {};
    const values = { ...claims, iss: issuer, ...own };
    return {
      source,
      issuer,
      environment: fill(environment, { url, host }),
      claims: { iss: issuer, ...fill(claims, values), ...own },
    };
  });
}
