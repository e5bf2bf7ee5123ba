import type { Finding } from "../findings/finding.ts";
import type { Verdict } from "../findings/verdict.ts";
import type { TenantClient } from "../recording/tenant_client.ts";
import type { ValueKind } from "../tokens/value_form.ts";

/** What a lab remarks about a run of tests, besides what its clients sent. */
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
  /** The applications that drills visited, with their grades. */
  applications: readonly GradedApplication[];
}

/** What the last whole drill found, with what drills of some parts of it found. */
export interface DrillGrade extends Verdict {
  /** What is wrong, or could be better. */
  findings: readonly Finding[];
}

/** How an API did in its drills. */
export interface GradedApi extends DrillGrade {
  /** The URL that was drilled. */
  url: string;
  /** The client of the tokens, if the drill names one. The lab keeps a result for each. */
  client?: string | undefined;
}

/** How an application did in its drills. */
export interface GradedApplication extends DrillGrade, TenantClient {
  /** The URL that begins its login. */
  start: string;
}

/** What drills found, as a part of the remarks. */
export type DrillRemarks = Pick<LabRemarks, "apis" | "applications">;

/** An API or an application that was drilled, with its name. */
export interface DrilledSubject extends DrillGrade, TenantClient {
  kind: "API" | "Application";
  name: string;
}

export function drilledIn({ apis, applications }: DrillRemarks): DrilledSubject[] {
  return [
    ...applications.map(({ start: name, ...grade }) =>
      ({ ...grade, kind: "Application", name }) as const
    ),
    ...apis.map(({ url, client, ...grade }) =>
      ({ ...grade, kind: "API", name: nameOfApi(url, client) }) as const
    ),
  ];
}

/** Returns the name of an API for readers: its URL, and the client of the tokens. */
export function nameOfApi(url: string, client: string | undefined): string {
  return client === undefined ? url : `${url} (client ${client})`;
}

export function findingsOfDrills(remarks: DrillRemarks): Finding[] {
  return drilledIn(remarks).flatMap(({ findings }) => findings);
}

/** A use of chosen values. */
export interface ValueUse extends TenantClient {
  /** The kind of the values. */
  kind: ValueKind;
  /** How many it got. */
  times: number;
}
