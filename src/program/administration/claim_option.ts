import { type ClaimType, claimType, isServerClaim } from "../../server/model/claims.ts";
import { isObject } from "../../server/util/text/json.ts";
import type { Option } from "../command_line/command.ts";

/** What the value of a standard claim must be, and whether it is. A text may be anything. */
const expectations: Record<
  Exclude<ClaimType, "string">,
  { means: string; isMet: (value: unknown) => boolean }
> = {
  boolean: { means: "true or false", isMet: (value) => typeof value === "boolean" },
  number: { means: "a number", isMet: (value) => typeof value === "number" },
  object: { means: "an object in JSON", isMet: isObject },
};

export const claim: Option = {
  name: "claim",
  valueName: "NAME=VALUE",
  repeatable: true,
  help: "a claim for clients, such as email=a@b.example or email_verified=true; may be repeated",
  problem: claimProblem,
};

/**
 * Parses NAME=VALUE. Standard claims have their type: a telephone number is a text. Of others, a
 * value in JSON may be a number, a boolean or an object; any other is text.
 */
export function parseClaim(assignment: string): [name: string, value: unknown] {
  const equals = assignment.indexOf("=");
  const name = assignment.slice(0, equals);
  const text = assignment.slice(equals + 1);
  if (claimType(name) === "string") return [name, text];
  try {
    return [name, JSON.parse(text)];
  } catch {
    return [name, text];
  }
}

function claimProblem(assignment: string): string | undefined {
  if (!/^\w[\w:/.-]*=/.test(assignment)) return "must be NAME=VALUE";
  const [name, value] = parseClaim(assignment);
  if (isServerClaim(name)) return `cannot set '${name}', a claim that the server sets itself`;
  const type = claimType(name);
  if (type === undefined || type === "string") return undefined;
  const { means, isMet } = expectations[type];
  return isMet(value) ? undefined : `must give '${name}' ${means} (OpenID Connect Core, 5.1)`;
}
