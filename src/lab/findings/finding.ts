import { version } from "../../runtime/version.ts";
import { comparisonHint } from "../../server/protocol/oauth_error.ts";
import { printable } from "../../server/util/text/printable.ts";
import { nameOfClient, type TenantClient } from "../recording/tenant_client.ts";
import { type FindingGrade, isAtLeast } from "./grade.ts";

/** What decides about a rule, a check or a variant. */
export interface Basis {
  /** The section: `"RFC 9700, section 4.7.1"`. */
  see: string;
  /** The sentence of the section that decides, or the part of it that does. */
  why: string;
  /** Whom the sentence binds. What binds servers alone makes no finding. */
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
  /** How bad it is; none for a note, and for a request that the server refused. */
  grade?: FindingGrade | undefined;
  /** Whether someone can use it, or users lose by it: a valid response or request was refused. */
  kind: "security" | "interoperability";
  /** The section of the specification: `"RFC 9700, section 4.7.1"`. */
  see?: string | undefined;
  /** The sentence of the section that decides. */
  why?: string | undefined;
  /** Whom the sentence binds. */
  binds?: Basis["binds"] | undefined;
  /** The version of Hallpass that was the first to try it, if that was not the first release. */
  since?: string | undefined;
  /** The module of the certification for relying parties that tests it. */
  certification?: string | undefined;
  /** Why it fails no build for now, and until when. */
  acknowledged?: string | undefined;
  /** What came, without secrets. */
  received?: string | undefined;
  /** What must come, where that is more than the title. */
  expected?: string | undefined;
  /** What an attacker gains, or a user loses, in one sentence. */
  gain?: string | undefined;
  /** Who can send it, and what that takes; or why no one gains by it here. */
  sender?: string | undefined;
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
  /** Why it failed, whatever it found. */
  problem?: string | undefined;
  /** Why the check was not made. */
  skipped?: string | undefined;
  /** Whether the same check may find out more another time. */
  undecided?: boolean | undefined;
  /** What else is worth reading. */
  note?: string | undefined;
  /** What was accepted that matters only in a situation which was not seen: the condition first. */
  unjudged?: string | undefined;
}

/** Whether a rule was broken. */
export function isViolation(finding: Finding): boolean {
  return isAtLeast(finding, "C");
}

/** Whether it is a request that the server refused: its client does not work. */
export function isRefused(finding: Finding): boolean {
  return "error" in finding;
}

/** Returns the name of what was drilled where a finding shows; undefined for one of a client. */
export function drilledAt({ where: { api, application } }: Finding): string | undefined {
  return api ?? application;
}

/** Returns how bad a finding is, in a word: its grade, or what it is without one. */
export function labelOf(finding: Finding): FindingGrade | "refused" | "note" {
  return finding.grade ?? (isRefused(finding) ? "refused" : "note");
}

/** Returns how bad a finding is as a number, 0 for the worst: what is refused has to be mended. */
export function rankOf(finding: Finding): number {
  return ["F", "D", "C", "refused", "B", "note"].indexOf(labelOf(finding));
}

/** Returns what decides about a rule, a check or a variant, without the rest of it. */
export function basisIn({ see, why, binds, since }: Basis): Basis {
  return { see, why, binds, ...since !== undefined && { since } };
}

/** Returns the best grade that needs work: what a client sends breaks a rule in any case. */
export function leastToMend(finding: Finding): FindingGrade {
  return drilledAt(finding) === undefined ? "C" : "D";
}

/** What fails a run of tests. */
export interface FailureOptions {
  /** Whether requests that the server refused do. */
  refused?: boolean | undefined;
  /**
   * The best grade that does.
   *
   * @default D for what a drill found; C for what a client sent, which breaks a rule itself
   */
  failOn?: FindingGrade | undefined;
}

/** Whether a finding fails a run of tests. */
export function isFailure(
  finding: Finding & { resolved?: boolean },
  { refused = false, failOn }: FailureOptions = {},
): boolean {
  if (finding.acknowledged || isNew(finding)) return false;
  if (!isRefused(finding)) {
    return isAtLeast(finding, failOn ?? leastToMend(finding));
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
export function findingToText(
  finding: Finding,
  fails: (finding: Finding) => boolean = isFailure,
): string {
  const { id, title, where, grade, certification } = finding;
  const name = nameOfClient(where);
  const client = name === undefined ? "" : ` (client ${name})`;
  const passes = grade === "C" && drilledAt(finding) !== undefined && !fails(finding) &&
    `This build passes; with --fail-on C it fails.${
      certification ? " A certification would not pass." : ""
    }`;
  const lines = [
    `${labelOf(finding)} ${id}${client}: ${title}`,
    ...passes ? [passes] : [],
    ...findingDetails(finding),
  ];
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
function findingDetails(finding: Finding): string[] {
  const { gain, sender, fix, where, since, acknowledged, folded = [] } = finding;
  const news = isNew(finding) &&
    `New in ${since}: it fails no build before the next minor version.`;
  const seen = [placeOf(where), comparisonHint(finding)].filter(Boolean).join(" ");
  // What several ids begin with is named once.
  const ids = folded.map(({ id }) => id).join(", ").replace(/(?<=\b(\w+\.)\S*, )\1/g, "");
  const others = ids && `It explains ${ids}.`;
  const stake = [gain, sender].filter(Boolean).join(" ");
  const lines = [seen, stake, fix, whyOf(finding), others, news, acknowledged];
  return lines.filter((line): line is string => Boolean(line));
}

/** Returns the sentence that decides, with its section. */
function whyOf({ see, why }: Finding): string | undefined {
  if (see === undefined) return undefined;
  return why === undefined ? `See ${see}.` : `Why: ${see}: "${why}"`;
}

function placeOf({ request, flow, exchanges = [] }: FindingPlace): string | undefined {
  const ids = exchanges.length === 0
    ? flow
    : `request${exchanges.length > 1 ? "s" : ""} ${exchanges.join(", ")}`;
  const places = [request, ids].filter(Boolean);
  return places.length > 0 ? `At ${places.join(", ")}.` : undefined;
}
