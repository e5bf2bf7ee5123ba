import { comparisonHint } from "../../server/protocol/oauth_error.ts";
import { printable } from "../../server/util/text/printable.ts";
import { nameOfClient, type TenantClient } from "../recording/tenant_client.ts";

/** What is wrong with a client or an API, or could be better: of a report, a drill or `vet`. */
export interface Finding {
  /** The id of the rule or variant: `"state-reused"`, `"id_token.expired"`. */
  id: string;
  /** The rule or variant, in one sentence. */
  title: string;
  /**
   * - `violation`: a rule was broken.
   * - `refused`: the server refused a request, so its client does not work.
   * - `advice`: no rule was broken, but the client or API could be better.
   */
  level: "violation" | "refused" | "advice";
  /** What came, without secrets. */
  received?: string | undefined;
  /** What must come, where that is more than the title. */
  expected?: string | undefined;
  /** What an attacker gains, or a user loses, in one sentence. */
  gain?: string | undefined;
  /** What to do about it, in one sentence. */
  fix?: string | undefined;
  /** The section of the specification: `"RFC 9700, section 4.7.1"`. */
  see?: string | undefined;
  /** Where it shows. */
  where: FindingPlace;
}

/** Where a finding shows. */
export interface FindingPlace extends TenantClient {
  /** The API, if a drill called one: its URL, and the client of the tokens if it was given. */
  api?: string | undefined;
  /** The application, if a drill visited one: the URL that begins its login. */
  application?: string | undefined;
  /** The request that shows it: `"POST /oauth2/token"`, `"GET http://localhost:3001/orders"`. */
  request?: string | undefined;
  /** The parameter or header that shows it; it may be missing. */
  parameter?: string | undefined;
  /** The id of the flow in the lab: `"flow-1"`. */
  flow?: string | undefined;
  /** The ids of the recorded requests that show it, the oldest first. */
  exchanges?: readonly number[] | undefined;
}

/** A check with what it found. Without findings, and not skipped, it passed. */
export interface Check extends Pick<Finding, "id" | "title"> {
  /** What it found. */
  findings?: readonly Finding[] | undefined;
  /** Why the check was not made. */
  skipped?: string | undefined;
  /** What else is worth reading. */
  note?: string | undefined;
}

/** Whether a rule was broken. */
export function isViolation({ level }: Finding): boolean {
  return level === "violation";
}

/** Whether a finding fails a run of tests; with `refused`, refused requests do. */
export function isFailure(
  finding: Finding & { resolved?: boolean },
  { refused = false }: { refused?: boolean | undefined },
): boolean {
  if (finding.level !== "refused") return isViolation(finding);
  // A client need not know when a token expires: a refusal may be why it refreshes.
  const isRenewed = finding.id === "token.active" && finding.resolved;
  return refused && !isRenewed;
}

/** Returns the grade for what was found, by how many rules it is about. */
export function gradeOf(violations: number, advice: number): "A" | "B" | "D" | "F" {
  if (violations > 1) return "F";
  if (violations === 1) return "D";
  return advice > 0 ? "B" : "A";
}

/** Describes a finding on a few lines: what it is, where and what came, what to do, the section. */
export function findingToText(finding: Finding): string {
  const { level, id, title, where } = finding;
  const name = nameOfClient(where);
  const client = name === undefined ? "" : ` (client ${name})`;
  const lines = [`${level} ${id}${client}: ${title}`, ...findingDetails(finding)];
  // A line break sent by a client must not forge another finding.
  return lines.map(printable).join("\n  ");
}

/** Describes a finding in one line: its title, what came, and what was expected. */
export function summarizeFinding(finding: Finding): string {
  const { title } = finding;
  const sentence = title.endsWith(".") ? title : `${title}.`;
  return [sentence, comparisonHint(finding)].filter(Boolean).join(" ");
}

/** Returns all of a finding but its title, a line each. */
export function findingDetails(finding: Omit<Finding, "level">): string[] {
  const { gain, fix, see, where } = finding;
  const seen = [placeOf(where), comparisonHint(finding)].filter(Boolean).join(" ");
  return [seen, gain, fix, see && `See ${see}.`].filter((line): line is string => Boolean(line));
}

function placeOf({ request, flow, exchanges = [] }: FindingPlace): string | undefined {
  const ids = exchanges.length === 0
    ? flow
    : `request${exchanges.length > 1 ? "s" : ""} ${exchanges.join(", ")}`;
  const places = [request, ids].filter(Boolean);
  return places.length > 0 ? `At ${places.join(", ")}.` : undefined;
}
