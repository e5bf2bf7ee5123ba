import { type Finding, isRefused, summarizeFinding } from "../../findings/finding.ts";
import type { FindingGrade } from "../../findings/grade.ts";
import type { RecordedRequest } from "../../recording/recorded_request.ts";
import { nameOfClient } from "../../recording/tenant_client.ts";

const schema = "https://json.schemastore.org/sarif-2.1.0.json";

const levels: Readonly<Record<FindingGrade, string>> = {
  F: "error",
  D: "error",
  C: "warning",
  B: "note",
};

export type SarifRule = Pick<Finding, "id" | "title" | "grade" | "fix" | "see">;

/** The rule of each request that the server refused. */
const refusedRule: SarifRule = {
  id: "refused-request",
  title: "The server refused the request.",
  grade: "C",
  fix: "The error description explains what was expected.",
};

/**
 * Formats findings in SARIF 2.1.0, which code scanners and editors read, with the recorded requests
 * that show them. Secrets are hidden.
 */
export function findingsToSarif(
  findings: readonly Finding[],
  ownRules: readonly SarifRule[],
  requests: readonly RecordedRequest[],
): Record<string, unknown> {
  const rules = [...ownRules, refusedRule];
  const results = findings.map((finding) => {
    const ruleId = isRefused(finding) ? refusedRule.id : finding.id;
    const ruleIndex = rules.findIndex(({ id }) => id === ruleId);
    return { ruleId, ruleIndex, ...resultOf(finding, requests) };
  });
  const driver = { name: "Hallpass", rules: rules.map(describeRule) };
  return { $schema: schema, version: "2.1.0", runs: [{ tool: { driver }, results }] };
}

function describeRule({ id, title, grade = "B", fix, see }: SarifRule): object {
  return {
    id,
    shortDescription: { text: title },
    help: { text: [fix, see && `See ${see}.`].filter(Boolean).join(" ") },
    defaultConfiguration: { level: levels[grade] },
  };
}

function resultOf(finding: Finding, requests: readonly RecordedRequest[]): object {
  const { grade = isRefused(finding) ? "C" : "B", fix, where } = finding;
  const client = nameOfClient(where);
  // The last request is the one that broke the rule.
  const request = requests.find(({ id }) => id === where.exchanges?.at(-1));
  const { method, url, headers, parameters } = request ?? {};
  return {
    level: levels[grade],
    message: { text: [summarizeFinding(finding), fix].filter(Boolean).join(" ") },
    locations: [{
      ...request && { physicalLocation: { artifactLocation: { uri: urlWithoutQuery(request) } } },
      ...client && { logicalLocations: [{ name: client, kind: "client" }] },
    }],
    ...request && { webRequest: { method, target: url, headers, parameters } },
  };
}

function urlWithoutQuery({ url }: RecordedRequest): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
