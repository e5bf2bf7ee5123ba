import { findingsOfDrills } from "../../core/remarks.ts";
import { type Finding, findingToText, isFailure, isViolation } from "../../findings/finding.ts";
import type { CleanOptions } from "./calls.ts";
import type { Reported } from "./refused_requests.ts";
import type { Report } from "./report.ts";

/** The title of findings that a report has as `earlier`. */
export const earlierTitle =
  "Found before a reset, before the newest 2,000 requests, or at a closed tenant";

const endWithAssertion =
  "End a test that provokes refusals with assertClean(), which accepts them.";

/** Returns all that a report has found and not forgotten. */
export function findingsOf(report: Report): Reported[] {
  return [...report.findings, ...report.refused, ...findingsOfDrills(report)];
}

/**
 * Returns why a report is not clean, as the message of a failed test; undefined if it is. `unseen`
 * are those of its earlier findings that no message had.
 */
export function uncleanMessage(
  report: Report,
  unseen: readonly Finding[],
  options: CleanOptions = {},
): string | undefined {
  if (options.reached && report.problem !== undefined) return report.problem;
  const fails = (each: Finding) => isFailure(each, options);
  const present = findingsOf(report).filter(fails);
  const earlier = unseen.filter(fails);
  if (present.length + earlier.length === 0) return undefined;
  const advice = report.findings.filter(({ level }) => level === "advice");
  return [
    ...[...present, ...advice].map(findingToText),
    ...earlier.length > 0 ? [`${earlierTitle}:`, ...earlier.map(findingToText)] : [],
    ...earlier.every(isViolation) ? [] : [endWithAssertion],
  ].join("\n");
}

/** Returns the ids of the recorded requests that make a report not clean. */
export function uncleanExchanges(report: Report, options: CleanOptions = {}): number[] {
  return findingsOf(report)
    .filter((each) => isFailure(each, options))
    .flatMap(({ where }) => where.exchanges ?? []);
}
