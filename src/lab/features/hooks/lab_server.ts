import type { ReportProblem } from "../../../server/config/problems.ts";
import { checkValue } from "../../../server/config/schema.ts";
import { jsonOf, type WireResponse } from "../../recording/exchange.ts";
import type { FlowScope } from "../../recording/flow_scope.ts";
import type { FaultPlace } from "../../responses/places.ts";
import { headerProblem } from "../../util/header_problem.ts";
import { mergePatch } from "../../util/json_values.ts";
import { LabError } from "../../util/lab_error.ts";
import { labFileSchema } from "../../util/lab_schema.ts";

/** What a lab changes from its start on. */
export interface HookSetting {
  /**
   * Changes of responses, as `lab.changeResponse` makes them. A reset keeps them.
   *
   * @default none
   * @forTests it changes what the server sends
   * @atStart add changes with lab.changeResponse, or POST /lab/changes
   */
  responseChanges?: readonly ScopedResponseChange[] | undefined;
}

/** What to change in a response, as data. At least one change is required. */
export interface ResponseChange {
  /** Merged into the JSON of the body, as in RFC 7396: `null` removes a member. */
  merge?: Record<string, unknown> | undefined;
  /** Members to set in the JSON of the body, each with its whole value; `null` stays `null`. */
  set?: Record<string, unknown> | undefined;
  /** The names of members to remove from the JSON of the body. */
  unset?: string[] | undefined;
  /** Headers to set; they replace those of the same name. */
  headers?: Record<string, string> | undefined;
  /** The names of headers to remove. */
  unsetHeaders?: string[] | undefined;
  /**
   * The status to send.
   *
   * @integer
   * @minimum 200
   * @maximum 599
   */
  status?: number | undefined;
  /**
   * Which responses of the endpoint change: those with a status below 400, all others, or both.
   *
   * @default "success"
   */
  when?: "success" | "error" | "always" | undefined;
}

/** A change of the responses of an endpoint to some requests. */
export interface ScopedResponseChange extends ResponseChange, FlowScope {
  /** The endpoint. */
  at: FaultPlace;
}

/** The members that change something. */
const changeMembers = ["merge", "set", "unset", "headers", "unsetHeaders", "status"] as const;

/** Reports changes that name a tenant. */
export function checkHookSetting(
  { responseChanges = [] }: HookSetting,
  report: ReportProblem,
): void {
  for (const [at, { tenant }] of responseChanges.entries()) {
    if (tenant === undefined) continue;
    report(`responseChanges[${at}].tenant`, "is not for a configuration; the tenant has its own");
  }
}

/** Checks a change that a test or a configuration asks for. */
export function checkResponseChange(change: ScopedResponseChange): void {
  const schema = labFileSchema.members.responseChanges;
  const problems: string[] = [];
  if (schema) {
    checkValue(schema, [change], "", (path, problem) => {
      problems.push(`${path.replace(/^\[0\]\.?/, "")} ${problem}`.trim());
    });
  }
  const problem = problems.length === 0 ? headerProblem(change.headers ?? {}) : undefined;
  if (problem !== undefined) problems.push(`headers: ${problem}`);
  if (problems.length > 0) throw new LabError(`Cannot change a response: ${problems.join("; ")}.`);
  if (changeMembers.some((name) => change[name] !== undefined)) return;
  throw new LabError(
    `Cannot change a response: send at least one of: ${changeMembers.join(", ")}.`,
  );
}

/** Whether a response has what a change is for. */
export function isChangeable(
  { when = "success", merge, set, unset }: ResponseChange,
  response: WireResponse,
): boolean {
  const isSuccess = response.status < 400;
  if (when !== "always" && isSuccess !== (when === "success")) return false;
  const changesBody = [merge, set, unset].some((each) => each !== undefined);
  return !changesBody || jsonOf(response) !== undefined;
}

/** Returns the JSON of a body after a change. */
export function changedBody(
  { merge = {}, set = {}, unset = [] }: ResponseChange,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const changed = { ...mergePatch(body, merge), ...set };
  return Object.fromEntries(Object.entries(changed).filter(([name]) => !unset.includes(name)));
}

/** Returns headers after a change. The case of a name does not matter. */
export function changedHeaders(
  { headers = {}, unsetHeaders = [] }: ResponseChange,
  before: Record<string, string>,
): Record<string, string> {
  const replaced = [...Object.keys(headers), ...unsetHeaders].map((name) => name.toLowerCase());
  const kept = Object.entries(before).filter(([name]) => !replaced.includes(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...headers };
}
