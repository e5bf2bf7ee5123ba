import { counted } from "../../../../server/util/time/duration.ts";
import { drilledIn, type DrilledSubject } from "../../../core/remarks.ts";
import { isRefused, isViolation, labelOf, leastToMend } from "../../../findings/finding.ts";
import { type Grade, isAtLeast } from "../../../findings/grade.ts";
import { describeScope, summarizeFindings, type Verdict } from "../../../findings/verdict.ts";
import { hasWords } from "../../../pages/parts/long_list.tsx";
import { isSameClient, nameOfClient } from "../../../recording/tenant_client.ts";
import {
  type ClientReport,
  type FindingGroup,
  groupFindings,
  groupReport,
} from "../group_report.ts";
import type { Report } from "../report.ts";
import { describeSent } from "../reported_clients.ts";

/** A client, or what was drilled, with what a report found there. */
export interface ReportSubject {
  /** The id of its row on the page: "client-1". */
  id: string;
  /** The name of the client, or of what was drilled; none for requests that name no client. */
  name?: string | undefined;
  /** What was drilled; undefined for a client. */
  kind?: DrilledSubject["kind"] | undefined;
  /** The name of the client as which a drilled application signs users in. */
  client?: string | undefined;
  /** The grade of what was drilled. */
  grade?: Grade | undefined;
  /** The result in a few words: "Needs work". */
  verdict: string;
  /** What led to it: "2 violations · 14 requests in all". */
  counts: string;
  /** What needs work first comes first. */
  groups: readonly FindingGroup[];
  /** What the grade of something drilled is for. */
  scope?: Verdict | undefined;
  /** The row of the application that a drill found fault with, or of the client it signs in as. */
  related?: { id: string; text: string } | undefined;
}

/** The worst first: grades, and the worst finding of who has none. Who has a good one can wait. */
const order = ["F", "D", "C", "refused", undefined, "B", "A"];

const verdicts: Readonly<Record<Grade, string>> = {
  A: "Ready",
  B: "Ready, with advice",
  C: "Breaks a rule, without a gain that was shown",
  D: "Needs work",
  F: "Needs work",
};

/** Returns everything that a report is about, the worst first. */
export function subjectsOf(report: Report): ReportSubject[] {
  const { applications } = report;
  const clients = groupReport(report).map((each, at) => toClientSubject(each, at, applications));
  const drilled = drilledIn(report).map(toDrilled);
  const subjects = [...clients, ...drilled];
  relateClients(clients, drilled);
  const rankOf = (subject: ReportSubject) => {
    const [[worst] = []] = openGroups(subject);
    return order.indexOf(subject.grade ?? (worst && labelOf(worst)));
  };
  return subjects.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Whether a subject has something to fix, so that its findings are in sight. */
export function needsWork(subject: ReportSubject): boolean {
  return openGroups(subject).length > 0;
}

/** Returns what is to be fixed, the worst first. */
function openGroups({ groups }: ReportSubject): FindingGroup[] {
  return groups.filter(([each]) =>
    !each.resolved && (isRefused(each) || isAtLeast(each, leastToMend(each)))
  );
}

/** Returns how many findings subjects have that are not settled. */
export function countOpen(subjects: readonly ReportSubject[]): number {
  return subjects.reduce(
    (sum, { groups }) => sum + groups.filter(([{ resolved }]) => !resolved).length,
    0,
  );
}

/** Returns what the parameters of the page leave. Without a filter, a faultless client is good news. */
export function filterSubjects(
  subjects: readonly ReportSubject[],
  query: URLSearchParams,
): ReportSubject[] {
  const [client, kind, search] = ["client", "kind", "q"].map((name) => query.get(name));
  const isAsked = (group: FindingGroup) =>
    (!kind || kind === labelOf(group[0])) && hasWords(textOf(group), search ?? null);
  return subjects
    .filter(({ name, kind: what }) => !client || (what === undefined && name === client))
    .map((subject) => ({ ...subject, groups: subject.groups.filter(isAsked) }))
    .filter(({ groups }) => groups.length > 0 || (!kind && !search));
}

/** Lets a client lead to what a drill of its application found, and the application to it. */
function relateClients(
  clients: readonly ReportSubject[],
  drilled: readonly ReportSubject[],
): void {
  for (const application of drilled) {
    const { id, name, client: signedIn } = application;
    const client = clients.find((each) => each.name !== undefined && each.name === signedIn);
    if (!client) continue;
    client.related = { id, text: `What a drill of ${name} found` };
    application.related = { id: client.id, text: `It signs users in as ${client.name}` };
  }
}

function toClientSubject(
  { client, groups }: ClientReport,
  at: number,
  applications: Report["applications"],
): ReportSubject {
  const { requests = 0 } = client ?? {};
  const open = groups.filter(([each]) => !each.resolved);
  const others = open.filter(([each]) => !isRefused(each));
  const violations = others.filter(([each]) => isViolation(each)).length;
  const advice = others.length - violations;
  const refused = open.filter(([each]) => isRefused(each))
    .reduce((sum, { length }) => sum + length, 0);
  const parts = [
    violations > 0 && counted(violations, "violation"),
    refused > 0 && `${counted(refused, "request")} refused`,
    advice > 0 && `${counted(advice, "piece")} of advice`,
    requests > 0 && `${counted(requests, "request")} in all`,
  ];
  const isDrilled = applications.some((each) => client && isSameClient(each, client));
  const isUnknown = !isDrilled && client?.examined && violations + refused === 0;
  return {
    id: `client-${at + 1}`,
    name: client && nameOfClient(client),
    verdict: client ? describeSent(client) : "",
    counts: [isUnknown && "not drilled", ...parts].filter(Boolean).join(" · "),
    groups,
  };
}

function toDrilled(drilled: DrilledSubject, at: number): ReportSubject {
  const { kind, name, grade, findings, ...about } = drilled;
  const { tenant } = about;
  return {
    id: `${kind.toLowerCase()}-${at + 1}`,
    name,
    kind,
    client: nameOfClient(about),
    grade,
    verdict: grade === undefined ? "Not all of it tried" : verdicts[grade],
    counts: [summarizeFindings(findings), describeScope(drilled)].join(" · "),
    scope: drilled,
    // A drill at a tenant names flows of the tenant: the lab has others of the same ids.
    groups: groupFindings(findings.map((each) => ({ ...each, where: { ...each.where, tenant } }))),
  };
}

function textOf(group: FindingGroup): string {
  return group.flatMap(({ id, title, received, expected, where: { request, parameter } }) => [
    id,
    title,
    received,
    expected,
    request,
    parameter,
  ]).filter(Boolean).join(" ");
}
