import { findingsOfDrills } from "../../core/remarks.ts";
import { type Finding, findingToText, isFailure, isViolation } from "../../findings/finding.ts";
import { nameOfClient } from "../../recording/tenant_client.ts";
import { unknownName } from "../../util/lab_error.ts";
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
  const advice = report.findings.filter((each) => !isViolation(each));
  return [
    ...[...present, ...advice].map((each) => findingToText(each)),
    ...earlier.length > 0
      ? [`${earlierTitle}:`, ...earlier.map((each) => findingToText(each))]
      : [],
    ...earlier.every(isViolation) ? [] : [endWithAssertion],
  ].join("\n");
}

/** Returns the ids of the recorded requests that make a report not clean. */
export function uncleanExchanges(report: Report, options: CleanOptions = {}): number[] {
  return findingsOf(report)
    .filter((each) => isFailure(each, options))
    .flatMap(({ where }) => where.exchanges ?? []);
}

/** The verdict of a report without any evidence. It must not read as an all-clear. */
export const notExamined = "No login has finished yet, so nothing has been examined.";

/** Whether a report has evidence: a client that got tokens, a drill, or a finding. */
export function hasExamined({ clients, apis, applications, ...found }: Report): boolean {
  const findings = [...found.findings, ...found.refused, ...found.earlier];
  return clients.some(({ examined }) => examined) ||
    apis.length + applications.length + findings.length > 0;
}

/** Where to look for what a report doesn't cover. */
const shownBy = { drill: "a drill", failedLogin: "its flow" };

/** Returns what the report doesn't cover, and where to look for it. */
export function describeLimit(report: Report, { drill, failedLogin } = shownBy): string[] {
  if (!report.reached) return [];
  if (!hasExamined(report)) {
    return [`Sign in with the application first. If the login fails, ${failedLogin} says why.`];
  }
  if (report.clients.length === 0 || report.applications.length > 0) return [];
  return [`The report shows what the application sent. What it accepts, only ${drill} shows.`];
}

/** Returns the part of a report that is about one client, by the name that readers see. */
export function reportOfClient(report: Report, name: string): Report {
  const clients = report.clients.filter((each) => nameOfClient(each) === name);
  if (clients.length === 0) {
    const known = report.clients.flatMap((each) => nameOfClient(each) ?? []);
    throw unknownName("client in the report", name, known);
  }
  const isOwn = ({ where }: Finding) => nameOfClient(where) === name;
  const findings = report.findings.filter(isOwn);
  const applications = report.applications.filter((each) => nameOfClient(each) === name);
  return {
    ...report,
    clean: ![...findings, ...findingsOfDrills({ apis: [], applications })]
      .some((each) => isFailure(each)),
    clients,
    findings,
    refused: report.refused.filter(isOwn),
    refusedByFault: report.refusedByFault.filter(isOwn),
    earlier: report.earlier.filter(isOwn),
    apis: [],
    applications,
  };
}
