import { lazily } from "../../../server/util/values/memoize.ts";
import { findingsOfDrills, type LabRemarks } from "../../core/remarks.ts";
import { basisIn, type Finding, isFailure, isViolation } from "../../findings/finding.ts";
import { gradeMistake } from "../../findings/grade.ts";
import { checksOf } from "../../findings/sentences.ts";
import { examinations } from "../../recording/examination_schedule.ts";
import { trustChecks } from "../drill/report.ts";
import { mcpChecks } from "../mcp/report.ts";
import { issuerChecks } from "./checks/issuer_checks.ts";
import { retryChecks } from "./checks/retry_checks.ts";
import { sentRequestChecks } from "./checks/sent_request_checks.ts";
import { usedResponseChecks } from "./checks/used_response_checks.ts";
import { usedTokenChecks } from "./checks/used_token_checks.ts";
import type { EarlierFindings } from "./earlier_findings.ts";
import { findRefusedRequests, flowsByExchange, type RefusedRequest } from "./refused_requests.ts";
import type { LabHistory, ReportCheck, ServerHistory } from "./report_check.ts";
import { reportClients, type ReportedClient } from "./reported_clients.ts";

export const reportChecks: readonly ReportCheck[] = checksOf<ReportCheck>({
  ...sentRequestChecks,
  ...usedTokenChecks,
  ...usedResponseChecks,
  ...retryChecks,
  ...trustChecks,
  ...issuerChecks,
  ...mcpChecks,
});

/** What is wrong with a report on no request. It is clean, but it shows nothing. */
export const notReached = "No request reached this lab.";

/** What the clients of a lab and its tenants did wrong, or could do better. */
export interface Report extends LabRemarks {
  /** Whether no client broke a rule, and no drill found an F or a D. Refusals do not count. */
  clean: boolean;
  /** How many requests clients have sent, those before a reset included. */
  requests: number;
  /** Whether a client sent a request, or an API was drilled. If not, it shows nothing. */
  reached: boolean;
  /** What is wrong with the report itself: `"No request reached this lab."` */
  problem?: string | undefined;
  /** Each client that talked to the lab. */
  clients: ReportedClient[];
  /** What clients did wrong. What drills found is in `apis` and `applications`. */
  findings: Finding[];
  /**
   * The requests that the server refused because of a mistake of a client. Errors that any client
   * gets, such as `login_required` or `authorization_pending`, are not among them.
   */
  refused: RefusedRequest[];
  /** The requests that the server refused after a fault in their flow. */
  refusedByFault: RefusedRequest[];
  /**
   * The broken rules and refused requests, also of drills, from before a reset, before the newest
   * 2,000 requests, or at a closed tenant. They may be fixed; `clean` and the counts are about the
   * others. A rule that only two requests together break is found if at most 1,000 are between.
   */
  earlier: Finding[];
}

export type MarkFindings = <T extends Finding>(findings: readonly T[]) => T[];

/** Checks everything that went over the wire against every rule. */
export function makeReport(
  history: LabHistory,
  { remarks, earlier, mark }: { remarks: LabRemarks; earlier: EarlierFindings; mark: MarkFindings },
): Report {
  const findings = mark(findAll(history, reportChecks));
  const all = mark(findRefused(history));
  const refused = all.filter(isOfNoFault);
  const ofDrills = findingsOfDrills(remarks);
  const { requests } = history;
  const reached = requests > 0 || remarks.apis.length > 0 || earlier.hadApis();
  return {
    clean: ![...findings, ...ofDrills].some((each) => isFailure(each)),
    requests,
    reached,
    ...!reached && { problem: notReached },
    clients: reportClients({ exchanges: history.exchanges, findings, refused }),
    findings,
    refused,
    refusedByFault: all.filter((each) => !isOfNoFault(each)),
    earlier: mark(earlier.besides([...findings, ...refused, ...ofDrills])),
    ...remarks,
  };
}

/**
 * Returns what clients did wrong that fails a run of tests: broken rules and refused requests. A
 * step checks some of the rules; the first also adds the refused requests.
 */
export function findFailures(history: LabHistory, step?: number): Finding[] {
  const binding = reportChecks.filter((check) => check.rule === "must")
    .filter((_, at) => step === undefined || at % examinations === step);
  const found = findAll(history, binding).filter(isViolation);
  const isFirst = step === undefined || step === 0;
  return isFirst ? [...found, ...findRefused(history).filter(isOfNoFault)] : found;
}

function findRefused(history: LabHistory): RefusedRequest[] {
  return findRefusedRequests(history).filter(isOfClients(history));
}

/** A button on a page of the lab shows what happens then: its client did nothing wrong. */
function isOfClients({ exchanges }: LabHistory): (finding: Finding) => boolean {
  const ofPages = new Set(exchanges.filter(({ isOfPage }) => isOfPage).map(({ id }) => id));
  return ({ where }) => !where.exchanges?.some((id) => ofPages.has(id));
}

function isOfNoFault({ faults }: RefusedRequest): boolean {
  return faults.length === 0;
}

/** Finds where clients broke a rule. A request that names no client has the one of its flow. */
function findAll(history: LabHistory, checks: readonly ReportCheck[]): Finding[] {
  const flowOf = lazily(() => flowsByExchange(history.flows()));
  const findAt = (
    { tenant, ...server }: ServerHistory,
    check: ReportCheck,
  ) =>
    check.find({ tenant, ...server }).map(({ received, facts, ...place }): Finding => {
      const client = place.client ??
        place.exchanges.map((id) => flowOf().get(id)?.client).find(Boolean);
      const where = { ...place, client, ...tenant !== undefined && { tenant } };
      const { id, title, fix } = check;
      return { id, title, fix, ...basisIn(check), ...gradeMistake(check, facts), received, where };
    });
  return checks
    .flatMap((check) => history.servers.flatMap((server) => findAt(server, check)))
    .filter(isOfClients(history));
}
