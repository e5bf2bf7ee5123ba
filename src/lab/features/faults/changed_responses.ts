import { checkValue } from "../../../server/config/schema.ts";
import {
  bodilessStatuses,
  jsonOf,
  type WireResponse,
  writeMembers,
} from "../../recording/exchange.ts";
import { type FaultPlace, places } from "../../responses/places.ts";
import { headerProblem } from "../../util/header_problem.ts";
import { mergePatch } from "../../util/json_values.ts";
import { LabError } from "../../util/lab_error.ts";
import { labFileSchema } from "../../util/lab_schema.ts";
import type { FaultOptions } from "./config.ts";
import type { ChangingFault } from "./fault.ts";

/** The name of a fault that changes a part of any response of an endpoint. */
export type ChangedFaultName = `${FaultPlace}.changed`;

/** Those that change something, one of which it needs. */
const effects = ["merge", "set", "unset", "headers", "unsetHeaders", "status"] as const;

/** Returns the fault of each endpoint that changes a part of its responses: "userinfo.changed", … */
export function changedFaults(): Record<ChangedFaultName, ChangingFault> {
  const kinds = Object.entries(places).map(([place, appliesTo]): [string, ChangingFault] => [
    `${place}.changed`,
    {
      summary: `The ${place} endpoint responds with other members, headers or another status.`,
      appliesTo,
      canChange: (response, { fault }) => isChangeable(fault, response),
      change: (response, { fault }) => changed(fault, response),
    },
  ]);
  return Object.fromEntries(kinds) as Record<ChangedFaultName, ChangingFault>;
}

/** Checks the change that a fault makes: its types, too, because it may have come as JSON. */
export function checkChange(options: FaultOptions): void {
  const schema = labFileSchema.members.initialFaults;
  const problems: string[] = [];
  if (schema) {
    checkValue(schema, [options], "", (path, problem) => {
      problems.push(`${path.replace(/^\[0\]\.?/, "")} ${problem}`.trim());
    });
  }
  const problem = problems.length === 0 ? headerProblem(options.headers ?? {}) : undefined;
  if (problem !== undefined) problems.push(`headers: ${problem}`);
  if (options.body !== undefined) problems.push("body replaces a response: use set or merge");
  if (problems.length > 0) throw new LabError(`Cannot change a response: ${problems.join("; ")}.`);
  if (effects.some((name) => options[name] !== undefined)) return;
  throw new LabError(`Cannot change a response: send at least one of: ${effects.join(", ")}.`);
}

function isChangeable(
  { when = "success", merge, set, unset }: FaultOptions,
  response: WireResponse,
): boolean {
  const isSuccess = response.status < 400;
  if (when !== "always" && isSuccess !== (when === "success")) return false;
  const changesBody = [merge, set, unset].some((each) => each !== undefined);
  return !changesBody || jsonOf(response) !== undefined;
}

function changed(fault: FaultOptions, response: WireResponse): WireResponse {
  const { status = response.status, merge = {}, set = {}, unset = [] } = fault;
  const { headers = {}, unsetHeaders = [] } = fault;
  const members = jsonOf(response);
  const all = members && Object.entries({ ...mergePatch(members, merge), ...set });
  const left = all?.filter(([name]) => !unset.includes(name));
  const body = left ? writeMembers(response, Object.fromEntries(left)) : response.body;
  // The case of a header's name does not matter.
  const replaced = [...Object.keys(headers), ...unsetHeaders].map((name) => name.toLowerCase());
  const kept = response.headers.filter(([name]) => !replaced.includes(name.toLowerCase()));
  return {
    status,
    headers: [...kept, ...Object.entries(headers)],
    body: bodilessStatuses.includes(status) ? "" : body,
  };
}
