import { describeGrades } from "../../findings/grade.ts";
import { LabError } from "../../util/lab_error.ts";
import type { FaultName } from "../faults/catalogue.ts";
import type { DescribedTry } from "../verdicts/drill_check.ts";
import { describeWith } from "../verdicts/fold.ts";
import { type LoginCheck, type LoginCheckName, loginChecks } from "./compare_logins.ts";
import { applicationFoldRules } from "./fold_rules.ts";
import type { SessionCheck, SessionCheckName } from "./session_check.ts";
import { sessionChecks } from "./session_checks.ts";
import { classOf, describeVariant } from "./variants/attack_advice.ts";
import type { DrillRow } from "./variants/rows.ts";
import { selectVariants, variantsOfEveryServer } from "./variants/variants.ts";

/** What a drill tries, by its name: a fault, or a check of the session or of the logins. */
export type DrillName = FaultName | SessionCheckName | LoginCheckName;

/** What a drill tries: variants of a login, checks of its session, and what the logins show. */
export interface DrillTries {
  variants: readonly DrillRow[];
  checks: readonly SessionCheck[];
  loginChecks: readonly LoginCheck[];
  isWhole: boolean;
}

/** Describes all that a drill can find, and the mistakes that several findings show together. */
export function describeTries(): readonly DescribedTry[] {
  const variants = variantsOfEveryServer.map((each) => ({
    ...describeVariant(each),
    grades: describeGrades(classOf(each)),
  }));
  const checks = [...sessionChecks, ...loginChecks].map((each) => ({
    ...each,
    grades: describeGrades(each),
  }));
  return describeWith([...variants, ...checks], applicationFoldRules);
}

/** Returns what has the given names: faults, or ids of checks; without names, all. */
export function selectTries(
  only: readonly DrillName[] | undefined,
  variants: readonly DrillRow[],
): DrillTries {
  if (!only) return { variants, checks: sessionChecks, loginChecks, isWhole: true };
  if (!Array.isArray(only)) {
    throw new LabError(
      'The second argument of a drill is a list: lab.drill(login, ["callback.wrong_state"]).',
    );
  }
  const isNamed = ({ id }: { id: DrillName }) => only.includes(id);
  const checks = sessionChecks.filter(isNamed);
  const compared = loginChecks.filter(isNamed);
  const ids = [...checks, ...compared].map(({ id }): DrillName => id);
  const isFault = (name: DrillName): name is FaultName => !ids.includes(name);
  return {
    variants: selectVariants(only.filter(isFault), variants),
    checks,
    loginChecks: compared,
    isWhole: false,
  };
}
