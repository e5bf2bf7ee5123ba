import process from "node:process";
import { requirements } from "../../src/lab/features/verdicts/requirements.ts";

/**
 * Compares checks with the table of requirements: returns the ids that no requirement names, and those
 * that one names and that do not exist. A project may lack a feature with its checks.
 */
export function compareWithRequirements(
  kind: "application" | "api" | "report",
  ids: readonly string[],
): { unnamed: string[]; unknown: string[] } {
  const named = requirements.flatMap(({ checks }) => checks?.[kind] ?? []);
  const isWhole = process.env.HALLPASS_TEST_WITHOUT === undefined;
  return {
    unnamed: ids.filter((id) => !named.includes(id)),
    unknown: isWhole ? named.filter((id) => !ids.includes(id)) : [],
  };
}
