import { collectProblems } from "../config/problems.ts";
import type { LabPowers } from "./lab_server.ts";

/** The powers of a lab, and what they refer to. */
export interface PowersUnderCheck extends LabPowers {
  userNames: readonly string[];
}

/** Checks the powers of a lab. Throws a `ConfigError` with every problem. */
export function checkPowers({ signIn, consent, userNames }: PowersUnderCheck): void {
  const { report, throwAny } = collectProblems();
  if (signIn !== undefined && !userNames.includes(signIn)) {
    report("signIn", `names '${signIn}', which is not a user; ${listed("users", userNames)}`);
  }
  reportChoice("consent", consent, ["ask", "skip"]);
  throwAny("start the lab");

  function reportChoice(path: string, value: unknown, choices: readonly string[]): void {
    if (value === undefined || choices.some((choice) => choice === value)) return;
    report(path, `must be one of: ${choices.join(", ")}`);
  }
}

function listed(what: string, names: readonly string[]): string {
  return names.length > 0 ? `the ${what} are: ${names.join(", ")}` : `there are no ${what}`;
}
