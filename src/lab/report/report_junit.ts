import { counted } from "../../server/util/time/describe_span.ts";
import { explainRefusal } from "../recording/refusal.ts";
import { formatJunit, type TestCase, type TestFailure, type TestSuite } from "./junit.ts";
import type { RefusedRequest } from "./refused_requests.ts";
import { type CleanOptions, type Report, rules } from "./report.ts";
import type { ReportFinding, ReportRule } from "./report_rule.ts";

const noClient = "requests that name no client";

/** Formats a report as JUnit XML: a test suite for each client, a test case for each rule. */
export function reportToJunit(report: Report, options: CleanOptions = {}): string {
  const clients = report.clients.map(({ client }) => client);
  const nameless = [...report.findings, ...report.refused].some(({ client }) => !client);
  const suites = [...clients, ...nameless ? [undefined] : []]
    .map((client) => suiteOf(report, client, options));
  return formatJunit("hallpass", suites.length > 0 ? suites : [silentSuite]);
}

/** A lab that no client talked to has tested nothing, which must not look like a success. */
const silentSuite: TestSuite = {
  name: "hallpass",
  cases: [{ name: "a client talks to the lab", skipped: "No client has talked to this lab yet." }],
};

function suiteOf(
  { findings, refused }: Report,
  client: string | undefined,
  options: CleanOptions,
): TestSuite {
  const isOwn = (each: { client?: string | undefined }) => (each.client || undefined) === client;
  const own = findings.filter(isOwn);
  const cases = rules.map((rule) => caseOf(rule, own.filter(({ id }) => id === rule.id)));
  return {
    name: client ?? noClient,
    cases: [...cases, refusedCase(refused.filter(isOwn), options)],
  };
}

function caseOf(
  { id, kind, says, fix, see }: ReportRule,
  found: readonly ReportFinding[],
): TestCase {
  const name = `${id}: ${says}`;
  if (found.length === 0) return { name };
  const seen = found.map((finding) => `Seen: ${finding.seen}. ${requestsOf(finding)}`);
  const text = [...seen, fix, `See ${see}.`].join("\n");
  return kind === "advice"
    ? { name, output: `Advice: ${says}\n${text}` }
    : { name, failure: { message: says, type: id, text } };
}

function requestsOf({ exchanges }: ReportFinding): string {
  return `${exchanges.length === 1 ? "Request" : "Requests"} ${exchanges.join(", ")}.`;
}

function refusedCase(refused: readonly RefusedRequest[], options: CleanOptions): TestCase {
  const name = "refused-request: The server accepts each request.";
  if (refused.length === 0) return { name };
  const text = refused.map(describeRefusal).join("\n");
  const failure: TestFailure = {
    message: `The server refused ${counted(refused.length, "request")}.`,
    type: "refused-request",
    text,
  };
  return options.refused ? { name, failure } : { name, output: `${failure.message}\n${text}` };
}

function describeRefusal(refused: RefusedRequest): string {
  const { exchange, method, path, error } = refused;
  return `Request ${exchange}, ${method} ${path}: ${error}. ${explainRefusal(refused)}`;
}
