import { version } from "../../runtime/version.ts";
import { comparisonHint } from "../../server/protocol/oauth_error.ts";
import { printable } from "../../server/util/text/printable.ts";
import { nameOfClient, type TenantClient } from "../recording/tenant_client.ts";

/**
 * Who can make use of a violation.
 *
 * - `attack`: anyone. It takes no access to the identity provider, and no key or secret of it.
 * - `rule`: only a wrong or hostile provider, from which a specification protects its clients.
 */
export type ViolationKind = "attack" | "rule";

/** What it is if a rule is broken: a violation, advice, or a note about what was not judged. */
export type FindingClass = ViolationKind | "advice" | "note";

/** What decides about a rule, a check or a variant. */
export interface Basis {
  /** The section: `"RFC 9700, section 4.7.1"`. */
  see: string;
  /** The sentence of the section that decides, or the part of it that does. */
  why: string;
  /** Whom the sentence binds. What binds servers alone makes no violation. */
  binds: "client" | "api" | "server";
  /**
   * The version of Hallpass that was the first to try it: it fails no build before the next minor
   * version.
   *
   * @default the first release
   */
  since?: string | undefined;
}

/** What is wrong with a client or an API, or could be better: of a report or a drill. */
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
  /** Who can make use of a violation. */
  kind?: "attack" | "rule" | undefined;
  /** The section of the specification: `"RFC 9700, section 4.7.1"`. */
  see?: string | undefined;
  /** The sentence of the section that decides. */
  why?: string | undefined;
  /** Whom the sentence binds. */
  binds?: Basis["binds"] | undefined;
  /** The version of Hallpass that was the first to try it, if that was not the first release. */
  since?: string | undefined;
  /** Why a violation fails no build for now, and until when. */
  acknowledged?: string | undefined;
  /** What came, without secrets. */
  received?: string | undefined;
  /** What must come, where that is more than the title. */
  expected?: string | undefined;
  /** What an attacker gains, or a user loses, in one sentence. */
  gain?: string | undefined;
  /** What to do about it, in one sentence. */
  fix?: string | undefined;
  /** Where it shows. */
  where: FindingPlace;
  /** What else the same mistake explains. */
  folded?: readonly Finding[] | undefined;
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
  /** What was accepted that matters only in a situation which was not seen: the condition first. */
  unjudged?: string | undefined;
}

/** What a finding of a class is. A note is about no finding: it leaves the grade alone. */
export function levelOf(
  kind: Exclude<FindingClass, "note">,
): Pick<Finding, "level" | "kind"> {
  return kind === "advice" ? { level: "advice" } : { level: "violation", kind };
}

/** Whether a rule was broken. */
export function isViolation({ level }: Finding): boolean {
  return level === "violation";
}

/** Returns what decides about a rule, a check or a variant, without the rest of it. */
export function basisIn({ see, why, binds, since }: Basis): Basis {
  return { see, why, binds, ...since !== undefined && { since } };
}

/** What fails a run of tests. */
export interface FailureOptions {
  /** Whether requests that the server refused do. */
  refused?: boolean | undefined;
  /** Whether only attacks do, and no broken rules. */
  only?: "attack" | undefined;
}

/** Whether a finding fails a run of tests. */
export function isFailure(
  finding: Finding & { resolved?: boolean },
  { refused = false, only }: FailureOptions = {},
): boolean {
  if (finding.acknowledged || isNew(finding)) return false;
  if (finding.level !== "refused") {
    return isViolation(finding) && (only === undefined || finding.kind !== "rule");
  }
  // A client need not know when a token expires: a refusal may be why it refreshes.
  const isRenewed = finding.id === "token.active" && finding.resolved;
  return refused && !isRenewed;
}

/** Whether this minor version is the first to look for it: an update must not fail a build. */
export function isNew({ since }: Pick<Finding, "since">, current: string = version): boolean {
  const minorOf = (text: string) => text.split(".", 2).join(".");
  return since !== undefined && minorOf(since) === minorOf(current);
}

/** Describes a finding on a few lines: what it is, where and what came, what to do, the section. */
export function findingToText(finding: Finding): string {
  const { level, kind = level, id, title, where } = finding;
  const name = nameOfClient(where);
  const client = name === undefined ? "" : ` (client ${name})`;
  const lines = [`${kind} ${id}${client}: ${title}`, ...findingDetails(finding)];
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
function findingDetails(finding: Omit<Finding, "level">): string[] {
  const { gain, fix, where, since, acknowledged, folded = [] } = finding;
  const news = isNew(finding) &&
    `New in ${since}: it fails no build before the next minor version.`;
  const seen = [placeOf(where), comparisonHint(finding)].filter(Boolean).join(" ");
  const others = folded.length > 0 && `It explains ${folded.map(({ id }) => id).join(", ")}.`;
  const lines = [seen, gain, fix, whyOf(finding), others, news, acknowledged];
  return lines.filter((line): line is string => Boolean(line));
}

/** Returns the sentence that decides, with its section and who can make use of it. */
function whyOf({ kind, see, why }: Omit<Finding, "level" | "where">): string | undefined {
  if (see === undefined) return undefined;
  if (why === undefined) return `See ${see}.`;
  return [`Why: ${see}: "${why}"`, kind === "attack" && "Anyone can do this."]
    .filter(Boolean).join(" ");
}

function placeOf({ request, flow, exchanges = [] }: FindingPlace): string | undefined {
  const ids = exchanges.length === 0
    ? flow
    : `request${exchanges.length > 1 ? "s" : ""} ${exchanges.join(", ")}`;
  const places = [request, ids].filter(Boolean);
  return places.length > 0 ? `At ${places.join(", ")}.` : undefined;
}
