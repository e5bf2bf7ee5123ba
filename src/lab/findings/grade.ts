/**
 * How bad a finding is.
 *
 * - `F`: anyone on the web, or with an ordinary account at the provider, gains by it here: data, an
 *   account or a session of another user, a victim who is signed in as them, a call without the
 *   right to it, or a script in a page.
 * - `D`: the same takes one more thing, such as a stolen cookie or a second provider; or anyone
 *   gains less, such as a sign-out.
 * - `C`: a rule is broken, and no gain was shown; or a valid response is refused.
 * - `B`: it could be hardened.
 */
export type FindingGrade = "F" | "D" | "C" | "B";

/** The grade of what was drilled: that of its worst finding, or A. */
export type Grade = "A" | FindingGrade;

/** The worst first. */
export const findingGrades: readonly FindingGrade[] = ["F", "D", "C", "B"];

export const gradeMeanings: Readonly<Record<Grade, string>> = {
  A: "None of these, and all that was in use was tested.",
  B: "It could be hardened.",
  C: "A rule is broken, and no gain was shown; or a valid response is refused.",
  D: "An attack takes one more thing, such as a stolen cookie; or anyone gains a little.",
  F: "Anyone gains an account, a session, a call, or a script in a page.",
};

/** What someone needs to send what is wrong, in a sentence. */
const needs = {
  "a login": "It takes a victim who has begun a login.",
  "a code": "It takes a stolen code.",
  "a token": "It takes a stolen token.",
  "a cookie": "It takes a cookie of the user's browser.",
  "a planted cookie": "It takes a cookie that the attacker has planted in the browser.",
  "a browser": "It takes access to the browser of the user.",
  "a log": "It takes a log, a history or a Referer header that has it.",
  "a script": "It takes a script in a page of the application.",
  "a name": "It takes a name or an address that was another user's.",
  "a client": "It takes another client of the provider.",
  "an API": "It takes another API that gets tokens of the provider.",
  "a connection": "It takes another connection of the application.",
  "a server": "It takes a server that the user adds.",
  "an issuer": "It takes another provider of the application.",
  "a tenant": "It takes another tenant of the provider.",
} as const;

/** What someone needs to send what is wrong, besides the way there. */
export type Need = "nothing" | keyof typeof needs;

/** Ways that only the provider has, as long as no response brings the same through the browser. */
const channels = {
  id_token: "token endpoint",
  userinfo: "userinfo endpoint",
  token: "token endpoint",
  refresh: "token endpoint",
  metadata: "metadata",
  jwks: "key set",
} as const;

export type Channel = keyof typeof channels;

/** What was seen of an application or an API that decides who can use a mistake. */
export type SeenFact =
  | "several issuers"
  | "shared keys"
  | "free names"
  | `${Channel} in the browser`
  | "PKCE"
  | "added servers"
  | `accepts ${string}`
  | `refuses ${string}`
  | `with ${string}`
  | `without ${string}`;

/** What someone needs to send what is wrong, and the way there. */
interface Sent {
  /** @default the keys of the provider */
  takes?: Need;
  /** @default any: a link, a request, a page */
  by?: Channel | undefined;
}

/** What is gained by a mistake, where it was seen that it is so. */
export interface Gain extends Sent {
  /** In one sentence. */
  gain: string;
  /** The facts that must hold. */
  when?: readonly SeenFact[];
  /** The facts that must not. */
  unless?: readonly SeenFact[];
  /**
   * `full` for what makes an F, `small` for a page elsewhere, a sign-out or a request, `limit` for
   * how long or where a thief can use what they have.
   *
   * @default "full"
   */
  size?: "full" | "small" | "limit";
}

/** What decides how bad it is if something is not as it has to be. */
export interface RowClass extends Partial<Gain> {
  /** Whether the sentence that decides has a MUST or a SHOULD, or leaves it open. */
  rule: "must" | "should" | "may";
  /** The facts with which a MUST is only advice: something else does the same. */
  eased?: readonly SeenFact[];
  /** @default "security" */
  kind?: "security" | "interoperability";
  /** Gains that come first: what is gained is the first one whose facts hold. */
  cases?: readonly Gain[];
}

/** How bad something is, and why. A note has no grade. */
export interface Graded {
  grade?: FindingGrade | undefined;
  kind: "security" | "interoperability";
  gain?: string;
  sender?: string;
}

type Sender = "anyone" | "someone with more" | "the provider";

/** Grades a mistake: by who can send it here, what they gain by what was seen, and the rule. */
export function gradeMistake(row: RowClass, seen: Iterable<SeenFact> = []): Graded {
  const facts = new Set(seen);
  const { kind = "security", rule, eased } = row;
  const isEased = rule === "must" && eased !== undefined && holds({ when: eased }, facts);
  const found = gainsOf(row).find((each) => holds(each, facts));
  const sent = found?.takes === undefined ? row : found;
  const sender = senderOf(sent, facts);
  const grade = letterOf(sender, isEased ? "should" : rule, found && (found.size ?? "full"));
  if (grade === "C" && kind === "security") {
    return { kind, grade, sender: whyHarmless(row, { sender, by: sent.by }, facts) };
  }
  const { takes = "nothing" } = sent;
  const who = takes === "nothing" ? grade === "F" && "Anyone can do this." : needs[takes];
  // What takes something else is no gain of the provider, which could do worse.
  const isShown = found !== undefined && (sender !== "the provider" || sent.takes === undefined);
  return {
    kind,
    grade,
    ...isShown && { gain: found.gain },
    ...who && grade !== "B" && { sender: who },
  };
}

/** Describes which grades a mistake can have, the worst first: "F, C", "D, note". */
export function describeGrades(row: RowClass): string {
  return gradesOf(row).map((grade) => grade ?? "note").join(", ");
}

/** Returns the grades that a mistake can have, the worst first; undefined for a note. */
export function gradesOf(row: RowClass): Array<FindingGrade | undefined> {
  const open: SeenFact[] = ["several issuers", "shared keys"];
  const inBrowser = [row, ...row.cases ?? []].flatMap(({ by }) =>
    by ? [`${by} in the browser`] as const : []
  );
  const seen = gainsOf(row).map(({ when = [] }) => [...when, ...open, ...inBrowser]);
  const found = [...seen, row.eased ?? [], []].map((each) => gradeMistake(row, each).grade);
  return [...findingGrades, undefined].filter((each) => found.includes(each));
}

/** Whether a finding is as bad as a grade, or worse. */
export function isAtLeast(
  { grade }: { grade?: FindingGrade | undefined },
  least: FindingGrade,
): boolean {
  return grade !== undefined && findingGrades.indexOf(grade) <= findingGrades.indexOf(least);
}

/** Returns who can send what is wrong here. */
export function senderOf({ takes, by }: Sent, seen: ReadonlySet<SeenFact>): Sender {
  if (takes === undefined) return "the provider";
  const needed = takes === "an issuer" ? "several issuers" : takes === "a tenant" && "shared keys";
  if (needed) return seen.has(needed) ? "someone with more" : "the provider";
  if (by !== undefined && !seen.has(`${by} in the browser`)) return "the provider";
  return takes === "nothing" ? "anyone" : "someone with more";
}

function letterOf(
  sender: Sender,
  rule: RowClass["rule"],
  size: Gain["size"],
): FindingGrade | undefined {
  if (sender === "anyone" && size === "full") return "F";
  const isLimited = size === "limit" && (sender === "anyone" || rule !== "must");
  if (sender !== "the provider" && size !== undefined && !isLimited) return "D";
  if (rule === "may") return undefined;
  return rule === "must" ? "C" : "B";
}

function gainsOf({ cases = [], ...row }: RowClass): readonly Gain[] {
  return row.gain === undefined ? cases : [...cases, row as Gain];
}

function holds({ when = [], unless = [] }: Partial<Gain>, facts: ReadonlySet<SeenFact>): boolean {
  return when.every((each) => facts.has(each)) && !unless.some((each) => facts.has(each));
}

/** Returns why no one gains by a broken rule here: only the provider can send it, or what stops it. */
function whyHarmless(
  { cases = [], when = [] }: RowClass,
  { sender, by }: { sender: Sender; by: Channel | undefined },
  facts: ReadonlySet<SeenFact>,
): string {
  const [stopped] = [...cases.flatMap((each) => each.when ?? []), ...when]
    .flatMap((each) => /^accepts (.*)/.exec(each)?.[1] ?? [])
    .filter((each) => facts.has(`refuses ${each}`));
  if (stopped) return `No gain was shown: the attack that would use it, ${stopped}, is refused.`;
  if (sender !== "the provider") return "No gain was shown.";
  if (by === undefined) return "Only the provider can make it.";
  const others = by === "id_token"
    ? ", add a second provider, take ID tokens from a page, or your provider's tenants share keys"
    : " or add a second provider";
  return `It came from the ${channels[by]} of your issuer. In production TLS vouches for it: if ` +
    `you switch off certificate checks${others}, this is an attack.`;
}
