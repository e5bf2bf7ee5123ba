import { counted } from "../../../server/util/time/describe_span.ts";
import { explainRefusal } from "../../recording/refusal.ts";
import { isSameClient, nameOfClient, type TenantClient } from "../../recording/tenant_client.ts";
import { groupBy } from "../../util/group_by.ts";
import { formatJunit, type TestCase, type TestFailure, type TestSuite } from "../../util/junit.ts";
import type { RefusedRequest } from "./refused_requests.ts";
import { type CleanOptions, notReached, type Report, rules } from "./report.ts";
import type { ReportFinding, ReportRule } from "./report_rule.ts";

const noClient = "requests that name no client";

/** Formats a report as JUnit XML: a test suite for each client, a test case for each rule. */
export function reportToJunit(report: Report, options: CleanOptions = {}): string {
  if (!report.reached) return formatJunit("hallpass", [silentSuite]);
  const { clients, findings, refused } = report;
  const others = [...findings, ...refused].filter(({ client }) => !client);
  const nameless = groupBy(others, ({ tenant = "" }) => tenant).map(([{ tenant }]) => ({ tenant }));
  const about: TenantClient[] = [...clients, ...nameless];
  const suites = (about.length > 0 ? about : [{}]).map((each) => suiteOf(report, each, options));
  return formatJunit("hallpass", suites);
}

/** A lab that no client talked to has tested nothing, which must not look like a success. */
const silentSuite: TestSuite = {
  name: "hallpass",
  cases: [{
    name: "reached: A client sends a request to the lab.",
    failure: {
      message: notReached,
      type: "not-reached",
      text: "Configure the application with the issuer of the lab, and run its tests.",
    },
  }],
};

function suiteOf(
  { findings, refused }: Report,
  about: TenantClient,
  options: CleanOptions,
): TestSuite {
  const isOwn = (each: TenantClient) => isSameClient(each, about);
  const own = findings.filter(isOwn);
  const cases = rules.map((rule) => caseOf(rule, own.filter(({ id }) => id === rule.id)));
  return {
    name: nameOfClient({ client: noClient, ...about }) ?? "",
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
