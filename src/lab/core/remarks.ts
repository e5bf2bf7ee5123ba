import type { Finding } from "../findings/finding.ts";
import type { TenantClient } from "../recording/tenant_client.ts";
import type { ValueKind } from "../tokens/value_form.ts";

/** What a lab remarks about a run of tests, beside what its clients sent. */
export interface LabRemarks {
  /**
   * The names of faults, queued responses and hooks that were added but never fired: they tested
   * nothing.
   */
  idleFaults: readonly string[];
  /** The leniencies of the lab and its tenants that are on, by the names of their settings. */
  leniencies: readonly string[];
  /** What was issued with values that the test chose: which kinds, and to which clients. */
  chosenValues: readonly ValueUse[];
  /** The APIs that were drilled, with their grades. */
  apis: readonly GradedApi[];
}

/** How an API did in its last whole drill, with the violations that drills of some checks found. */
export interface GradedApi {
  /** The URL that was drilled. */
  url: string;
  /** The client of the tokens, if the drill names one. The lab keeps a result for each. */
  client?: string | undefined;
  /** A, or B with advice, D with a violation, F with several. Some checks alone give no grade. */
  grade?: "A" | "B" | "D" | "F" | undefined;
  /** How many checks found a violation. */
  violations: number;
  /** How many found only advice. */
  advice: number;
  /** What is wrong, or could be better. */
  findings: readonly Finding[];
}

/** Returns the name of an API for readers: its URL, and the client of the tokens. */
export function nameOfApi({ url, client }: Pick<GradedApi, "url" | "client">): string {
  return client === undefined ? url : `${url} (client ${client})`;
}

export function findingsOfApis(apis: readonly GradedApi[]): Finding[] {
  return apis.flatMap(({ findings }) => findings);
}

/** A use of chosen values. */
export interface ValueUse extends TenantClient {
  /** The kind of the values. */
  kind: ValueKind;
  /** How many it got. */
  times: number;
}

/** A lab that makes remarks. */
export interface RemarkInternals {
  /** Returns the remarks of the lab, and of its tenants with their names. */
  remarks(): LabRemarks;
}
