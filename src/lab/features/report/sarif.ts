import type { RecordedRequest } from "../../recording/recorded_request.ts";
import { nameOfClient, type TenantClient } from "../../recording/tenant_client.ts";
import type { RefusedRequest } from "./refused_requests.ts";
import { notReached, type Report, rules } from "./report.ts";
import type { ReportFinding } from "./report_rule.ts";

const schema = "https://json.schemastore.org/sarif-2.1.0.json";

const refusedRule = {
  id: "refused-request",
  shortDescription: { text: "The server refused the request." },
  help: { text: "The description of the error says what was expected." },
  defaultConfiguration: { level: "warning" },
};

const notReachedRule = {
  id: "not-reached",
  shortDescription: { text: notReached },
  help: { text: "Configure the application with the issuer of the lab, and run its tests." },
  defaultConfiguration: { level: "error" },
};

const sarifRules = [
  ...rules.map(({ id, kind, says, fix, see }) => ({
    id,
    shortDescription: { text: says },
    help: { text: `${fix} See ${see}.` },
    defaultConfiguration: { level: levelOf(kind) },
  })),
  refusedRule,
  notReachedRule,
];

/** Formats a report in SARIF 2.1.0, which code scanners and editors read. Secrets are hidden. */
export function reportToSarif(
  { findings, refused, reached }: Report,
  requests: readonly RecordedRequest[],
): Record<string, unknown> {
  const resultOf = (level: string, ruleId: string, text: string, { exchange, ...about }: Shown) => {
    const client = nameOfClient(about);
    const request = requests.find(({ id }) => id === exchange);
    const { method, url, headers, parameters } = request ?? {};
    return {
      ruleId,
      ruleIndex: sarifRules.findIndex(({ id }) => id === ruleId),
      level,
      message: { text },
      locations: [{
        ...request && { physicalLocation: { artifactLocation: { uri: urlWithoutQuery(request) } } },
        ...client && { logicalLocations: [{ name: client, kind: "client" }] },
      }],
      ...request && { webRequest: { method, target: url, headers, parameters } },
    };
  };
  const results = [
    ...findings.map(({ id, kind, seen, fix, client, tenant, exchanges }) =>
      // The last request is the one that broke the rule.
      resultOf(levelOf(kind), id, `${seen}. ${fix}`, { client, tenant, exchange: exchanges.at(-1) })
    ),
    ...refused.map((each) => resultOf("warning", refusedRule.id, describeRefused(each), each)),
    ...reached ? [] : [resultOf("error", notReachedRule.id, notReached, {})],
  ];
  const driver = { name: "Hallpass", rules: sarifRules };
  return { $schema: schema, version: "2.1.0", runs: [{ tool: { driver }, results }] };
}

/** Whom and which recorded request a result is about. */
interface Shown extends TenantClient {
  exchange?: number | undefined;
}

function describeRefused(refused: RefusedRequest): string {
  const { method, path, error, description, hint, fix } = refused;
  return [`${method} ${path}: ${error}.`, description, hint, fix].filter(Boolean).join(" ");
}

/** Returns the URL of a request without its parameters. */
function urlWithoutQuery({ url }: RecordedRequest): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function levelOf(kind: ReportFinding["kind"]): string {
  return kind === "violation" ? "error" : "note";
}
