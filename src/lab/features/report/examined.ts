import type { Report } from "./report.ts";

/** The verdict of a report without any evidence. It must not read as an all-clear. */
export const notExamined = "No login has finished yet, so nothing has been examined.";

/** Whether a report has evidence: a client that got tokens, a drill, or a finding. */
export function hasExamined({ clients, apis, applications, ...found }: Report): boolean {
  const findings = [...found.findings, ...found.refused, ...found.earlier];
  return clients.some(({ grade }) => grade) ||
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
