import type { RecordedRequest } from "../recording/recorded_request.ts";
import type { RefusedRequest } from "./refused_requests.ts";
import { type Report, rules } from "./report.ts";
import type { ReportFinding } from "./report_rule.ts";

/** A log in the Static Analysis Results Interchange Format (SARIF 2.1.0). */
export interface SarifLog {
  $schema: string;
  version: "2.1.0";
  runs: [SarifRun];
}

interface SarifRun {
  tool: { driver: { name: string; rules: SarifRule[] } };
  results: SarifResult[];
}

interface SarifRule {
  id: string;
  shortDescription: SarifText;
  help: SarifText;
  defaultConfiguration: { level: SarifLevel };
}

interface SarifResult {
  ruleId: string;
  ruleIndex: number;
  level: SarifLevel;
  message: SarifText;
  locations: SarifLocation[];
  webRequest?: SarifWebRequest;
}

interface SarifLocation {
  physicalLocation?: { artifactLocation: { uri: string } };
  logicalLocations?: Array<{ name: string; kind: string }>;
}

interface SarifWebRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  parameters: Record<string, string>;
}

interface SarifText {
  text: string;
}

type SarifLevel = "error" | "warning" | "note";

const schema = "https://json.schemastore.org/sarif-2.1.0.json";

const refusedRule: SarifRule = {
  id: "refused-request",
  shortDescription: { text: "The server refused the request." },
  help: { text: "The description of the error says what was expected." },
  defaultConfiguration: { level: "warning" },
};

const sarifRules: readonly SarifRule[] = [
  ...rules.map(({ id, kind, says, fix, see }): SarifRule => ({
    id,
    shortDescription: { text: says },
    help: { text: `${fix} See ${see}.` },
    defaultConfiguration: { level: levelOf(kind) },
  })),
  refusedRule,
];

/** Formats a report in SARIF, which code scanners and editors read. Secrets are hidden. */
export function reportToSarif(report: Report, requests: readonly RecordedRequest[]): SarifLog {
  const byId = new Map(requests.map((request) => [request.id, request]));
  const results = [
    ...report.findings.map((finding) => findingResult(finding, byId)),
    ...report.refused.map((refused) => refusedResult(refused, byId)),
  ];
  const driver = { name: "Hallpass", rules: [...sarifRules] };
  return { $schema: schema, version: "2.1.0", runs: [{ tool: { driver }, results }] };
}

type RequestsById = ReadonlyMap<number, RecordedRequest>;

function findingResult({ id, kind, seen, fix, ...finding }: ReportFinding, byId: RequestsById) {
  // The last request is the one that broke the rule.
  const request = byId.get(finding.exchanges.at(-1) ?? 0);
  const level = levelOf(kind);
  return resultOf({ id, level, text: `${seen}. ${fix}`, client: finding.client, request });
}

function refusedResult(refused: RefusedRequest, byId: RequestsById): SarifResult {
  const { method, path, error, description, hint, fix, client, exchange } = refused;
  const text = [`${method} ${path}: ${error}.`, description, hint, fix].filter(Boolean).join(" ");
  const request = byId.get(exchange);
  return resultOf({ id: refusedRule.id, level: "warning", text, client, request });
}

interface ResultParts {
  id: string;
  level: SarifLevel;
  text: string;
  client: string | undefined;
  request: RecordedRequest | undefined;
}

function resultOf({ id, level, text, client, request }: ResultParts): SarifResult {
  return {
    ruleId: id,
    ruleIndex: sarifRules.findIndex((rule) => rule.id === id),
    level,
    message: { text },
    locations: [{
      ...request && { physicalLocation: { artifactLocation: { uri: addressOf(request) } } },
      ...client && { logicalLocations: [{ name: client, kind: "client" }] },
    }],
    ...request && { webRequest: webRequestOf(request) },
  };
}

function webRequestOf({ method, url, headers, parameters }: RecordedRequest): SarifWebRequest {
  return { method, target: url, headers, parameters };
}

/** Returns the URL of a request without its parameters. */
function addressOf({ url }: RecordedRequest): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function levelOf(kind: ReportFinding["kind"]): SarifLevel {
  return kind === "violation" ? "error" : "note";
}
