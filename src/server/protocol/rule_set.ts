import type { ErrorCode, ErrorDetails } from "./oauth_error.ts";
import type { Rule } from "./rule.ts";

/** What the rules of a set share, unless one says otherwise. */
interface SharedText {
  readonly see: string;
  readonly parameter?: string;
  readonly error: ErrorCode;
  readonly details?: ErrorDetails;
}

/** A rule of a set, as it is written. `Facts` follows from the parameters of its functions. */
interface RuleText<Facts> extends Partial<Omit<Rule<Facts>, "id" | "title" | "advice">> {
  /**
   * One sentence with "must", without its full stop: the title of the rule, and with a full stop
   * the message of its error, unless it has another `message`.
   */
  readonly must: string;
  /** How to fix a request that breaks it, in the imperative, where that says more than `must`. */
  readonly fix?: string;
}

/** Rules by the last part of their ids: `dpop.htm` is the rule with this id. */
type RuleSet<Facts> = { readonly [Name in keyof Facts]: Rule<Facts[Name]> };

/** Creates the rules of a set. A rule without `holds` requires that its value is present. */
export function ruleSet<Facts>(
  prefix: string,
  shared: SharedText,
  texts: { readonly [Name in keyof Facts]: RuleText<Facts[Name]> },
): RuleSet<Facts> {
  const rules = Object.entries<RuleText<never>>(texts).map(([name, { must, fix, ...rule }]) => {
    const described = { id: `${prefix}.${name}`, title: must, advice: fix };
    return [name, { holds: isPresent, message: `${must}.`, ...shared, ...rule, ...described }];
  });
  return Object.fromEntries(rules);
}

function isPresent(value: unknown): boolean {
  return value !== undefined;
}

/** The check of a rule whose facts must be undefined. */
export const absent = { holds: (value: unknown) => value === undefined };

/** A value that came, and the one value or the values that are expected. */
export interface Compared {
  readonly came: unknown;
  readonly expected: string | readonly string[];
}

type Comparison<Facts> = Pick<RuleText<Facts>, "holds" | "expected" | "came">;

/** The comparison of most rules. It holds for no list, and for nothing that is missing. */
export const compared = {
  holds: ({ came, expected }) =>
    came !== undefined &&
    (typeof expected === "object" ? expected.includes(came as string) : came === expected),
  expected: ({ expected }) =>
    (typeof expected === "object" ? expected.join(" or ") : expected) || "none",
  came: ({ came }) => describeValue(came),
} satisfies Comparison<Compared>;

/** Values that came, and those that are allowed. */
export interface ComparedLists {
  readonly came: readonly string[];
  readonly expected: readonly string[];
}

/** The comparison of a rule that allows each of several values. */
export const comparedLists = {
  holds: ({ came, expected }) => came.every((each) => expected.includes(each)),
  expected: ({ expected }) => expected.join(" ") || "none",
  came: ({ came }) => came.join(" ") || "none",
} satisfies Comparison<ComparedLists>;

/** Describes a value that a request sent, which may be of any type. */
export function describeValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "none";
}
