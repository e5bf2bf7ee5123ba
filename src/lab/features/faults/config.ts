import type { ReportProblem } from "../../../server/config/problems.ts";
import type { Duration } from "../../../server/util/time/duration.ts";
import type { SettingsUnderCheck } from "../../lab_server/check_lab_settings.ts";
import type { FlowScope } from "../../recording/flow_scope.ts";

/** What makes a lab misbehave from its start on. */
export interface FaultSetting {
  /**
   * Faults, as `lab.fault` adds them. A reset keeps them.
   *
   * @default none
   * @forTests it changes what the server sends
   * @atStart add faults with lab.fault, or POST /lab/faults
   */
  initialFaults?: readonly FaultOptions[] | undefined;
}

/** Makes a lab misbehave: data, the same in TypeScript, over HTTP and in a file. */
export interface FaultOptions extends FlowScope, PreparedResponse, ResponseChange {
  /** A `FaultName`: `"token.server_error"`. */
  name: string;
  /** How long a slow fault waits, or the value of `Retry-After`. */
  delay?: Duration | undefined;
  /** The claims that `"token.claims"` adds. */
  claims?: Record<string, unknown> | undefined;
}

/** What faults such as `"userinfo.changed"` change, besides the status and the headers. */
export interface ResponseChange {
  /** Merged into the JSON of the body, as in RFC 7396: `null` removes a member. */
  merge?: Record<string, unknown> | undefined;
  /** Members to set in the JSON of the body, each with its whole value; `null` stays `null`. */
  set?: Record<string, unknown> | undefined;
  /** The names of members to remove from the JSON of the body. */
  unset?: string[] | undefined;
  /** The names of headers to remove. */
  unsetHeaders?: string[] | undefined;
  /**
   * Which responses of the endpoint change: those with a status below 400, all others, or both.
   *
   * @default "success"
   */
  when?: "success" | "error" | "always" | undefined;
}

export const changeMembers = ["merge", "set", "unset", "unsetHeaders", "when"] as const;

/** Your own response, in place of the server's. */
export interface PreparedResponse {
  /**
   * The status, for faults such as `"userinfo.response"`, which sends 200 without one, and
   * `"userinfo.changed"`.
   *
   * @integer
   * @minimum 200
   * @maximum 599
   */
  status?: number | undefined;
  /** The headers. */
  headers?: Record<string, string> | undefined;
  /** The body: text, or anything else as JSON. */
  body?: unknown;
}

/** Reports faults that name a tenant. */
export function checkFaultSetting(
  { initialFaults = [] }: SettingsUnderCheck & FaultSetting,
  report: ReportProblem,
): void {
  for (const [at, { tenant }] of initialFaults.entries()) {
    if (tenant === undefined) continue;
    report(`initialFaults[${at}].tenant`, "is not for a configuration; the tenant has its own");
  }
}
