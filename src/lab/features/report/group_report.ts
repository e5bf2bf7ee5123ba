import { isSameClient, type TenantClient } from "../../recording/tenant_client.ts";
import { groupBy } from "../../util/group_by.ts";
import type { ClientGrade } from "./grades.ts";
import type { RefusedRequest } from "./refused_requests.ts";
import type { Report } from "./report.ts";
import type { ReportFinding } from "./report_rule.ts";

/** Everything in a report that is about one client. */
export interface ClientReport {
  /** The grade; none for requests that name no client. */
  grade?: ClientGrade | undefined;
  broken: FindingGroup[];
  refused: RefusedGroup[];
  advice: FindingGroup[];
}

/** The findings of one rule; there is at least one. */
export type FindingGroup = [first: ReportFinding, ...more: ReportFinding[]];

/** Requests that were refused for the same reason; there is at least one. */
export type RefusedGroup = [first: RefusedRequest, ...more: RefusedRequest[]];

/** Groups a report by client: first the graded ones, then what names no client. */
export function groupReport(report: Report): ClientReport[] {
  const graded = report.clients.map((grade) => reportOf(report, grade));
  const isGraded = (each: TenantClient) =>
    report.clients.some((client) => isSameClient(client, each));
  const rest = reportOf({
    findings: report.findings.filter((each) => !isGraded(each)),
    refused: report.refused.filter((each) => !isGraded(each)),
  });
  return isEmpty(rest) ? graded : [...graded, rest];
}

/**
 * Returns how many findings the reports on the clients have, each of which may be several requests.
 */
export function findingsIn(reports: readonly ClientReport[]): number {
  return reports.reduce(
    (sum, { broken, refused, advice }) => sum + broken.length + refused.length + advice.length,
    0,
  );
}

function reportOf(
  { findings, refused }: Pick<Report, "findings" | "refused">,
  grade?: ClientGrade,
): ClientReport {
  const isOwn = (each: TenantClient) => !grade || isSameClient(each, grade);
  const own = findings.filter(isOwn);
  return {
    grade,
    broken: groupBy(own.filter(({ kind }) => kind === "violation"), ({ id }) => id),
    refused: groupRefused(refused.filter(isOwn)),
    advice: groupBy(own.filter(({ kind }) => kind === "advice"), ({ id }) => id),
  };
}

/** Groups refused requests by their reason; those that have not worked since come first. */
export function groupRefused(refused: readonly RefusedRequest[]): RefusedGroup[] {
  const groups = groupBy(
    refused,
    ({ method, path, error, rule, description, resolved }) =>
      JSON.stringify([method, path, error, rule, description, resolved]),
  );
  return groups.sort(([one], [other]) => Number(one.resolved) - Number(other.resolved));
}

function isEmpty({ broken, refused, advice }: ClientReport): boolean {
  return broken.length + refused.length + advice.length === 0;
}
