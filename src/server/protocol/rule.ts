import { type ErrorCode, type ErrorDetails, OAuthError, type RuleSummary } from "./oauth_error.ts";

/**
 * A requirement on a request, as a value that decides. Several rules that an attacker could use to
 * tell cases apart share one error and one message.
 */
export interface Rule<Facts> extends RuleSummary {
  /** Returns the parameter at fault, if the rule covers several. */
  readonly parameterIn?: (facts: Facts) => string | undefined;
  /** The error code of a request that breaks it. */
  readonly error: ErrorCode;
  /**
   * Becomes the `error_description`. Logs repeat it, so it may name this server's own values but
   * never what a request sent: a client may have put a secret into any parameter.
   */
  readonly message: string | ((facts: Facts) => string);
  /**
   * Status, headers and challenges of the error, unless they follow from its code. With
   * `see: undefined`, the response cites no section.
   */
  readonly details?: ErrorDetails | ((facts: Facts) => ErrorDetails);
  /** Whether the facts obey the rule. */
  readonly holds: (facts: Facts) => boolean;
  /** Describes what was expected. Called only with the setting `hints`. */
  readonly expected?: (facts: Facts) => string | undefined;
  /** Describes what came. Called only with the setting `hints`. */
  readonly received?: (facts: Facts) => string | undefined;
  /**
   * Returns the fix for what came, where it depends on that. Called only with the setting
   * `hints`.
   */
  readonly fixFor?: (facts: Facts) => string | undefined;
}

/** A rule that was applied to a request. */
export interface AppliedRule {
  /** The rule. */
  readonly rule: RuleSummary;
  /** Whether the request obeys it. */
  readonly passed: boolean;
  /** What was expected; only with `hints`. */
  readonly expected?: string | undefined;
  /** What came; only with `hints`. */
  readonly received?: string | undefined;
  /** How to fix this request, if not by the fix of the rule; only with `hints`. */
  readonly fix?: string | undefined;
}

/** Applies a rule to facts: throws its error unless it holds. */
export type ApplyRule = <Facts>(rule: Rule<Facts>, facts: Facts) => void;

/** Applies a rule outside a request's rule log. */
export function applyRule<Facts>(rule: Rule<Facts>, facts: Facts): void {
  if (!rule.holds(facts)) throw ruleError(rule, facts);
}

/** Applies a rule whose breach is only recorded: no error follows. */
export function noteRule<Facts>(apply: ApplyRule, rule: Rule<Facts>, facts: Facts): void {
  try {
    apply(rule, facts);
  } catch (cause) {
    if (!(cause instanceof OAuthError)) throw cause;
  }
}

/** Applies a rule that requires a value, and returns the value. */
export function requirePresent<T>(
  apply: ApplyRule,
  rule: Rule<T | undefined>,
  value: T | undefined,
): T {
  return requireValue(apply, rule, value, value);
}

/** Applies a rule that can hold only if `value` is present, and returns the value. */
export function requireValue<T, Facts>(
  apply: ApplyRule,
  rule: Rule<Facts>,
  facts: Facts,
  value: T | undefined,
): T {
  apply(rule, facts);
  if (value === undefined) throw new Error(`The rule '${rule.id}' accepts a missing value.`);
  return value;
}

/** Creates the rule log of one request. Values are described only with the setting `hints`. */
export function createRuleLog(
  describesValues: boolean,
): { readonly applied: readonly AppliedRule[]; readonly apply: ApplyRule } {
  const applied: AppliedRule[] = [];
  return {
    applied,
    apply(rule, facts) {
      const passed = rule.holds(facts);
      const one: AppliedRule = !describesValues ? { rule, passed } : {
        rule,
        passed,
        expected: rule.expected?.(facts),
        received: rule.received?.(facts),
        fix: passed ? undefined : rule.fixFor?.(facts),
      };
      applied.push(one);
      if (!passed) throw ruleError(rule, facts, one);
    },
  };
}

/** Creates the error for a rule that does not hold. */
export function ruleError<Facts>(
  rule: Rule<Facts>,
  facts: Facts,
  applied?: AppliedRule,
): OAuthError {
  const { error, message, see } = rule;
  const text = typeof message === "string" ? message : message(facts);
  const details = typeof rule.details === "function" ? rule.details(facts) : rule.details;
  const parameter = rule.parameterIn?.(facts) ?? rule.parameter;
  return new OAuthError(error, text, { see, ...details, ...applied, rule, parameter, facts });
}

/** A rule of a set, as it is written. `Facts` follows from the parameters of its functions. */
interface RuleText<Facts> extends Partial<Omit<Rule<Facts>, "id">> {
  /**
   * One sentence with "must", without its full stop. With a full stop, it is the message of the
   * error, unless the rule has another.
   */
  readonly title: string;
  /** How to fix a request that breaks it, in the imperative, where that says more than the title. */
  readonly fix?: string;
}

/** Creates the rules of a set. A rule without `holds` requires that its value is present. */
export function ruleSet<Facts>(
  prefix: string,
  shared: Pick<Rule<never>, "see" | "parameter" | "error"> & { readonly details?: ErrorDetails },
  texts: { readonly [Name in keyof Facts]: RuleText<Facts[Name]> },
): { readonly [Name in keyof Facts]: Rule<Facts[Name]> } {
  const rules = Object.entries<RuleText<never>>(texts).map(([name, rule]) => {
    const id = `${prefix}.${name}`;
    return [name, { holds: isPresent, message: `${rule.title}.`, ...shared, ...rule, id }];
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
  readonly received: unknown;
  readonly expected: string | readonly string[];
}

type Comparison<Facts> = Pick<RuleText<Facts>, "holds" | "expected" | "received">;

/** The comparison of most rules. It holds for no list, and for nothing that is missing. */
export const compared = {
  holds: ({ received, expected }) =>
    received !== undefined &&
    (typeof expected === "object" ? expected.includes(received as string) : received === expected),
  expected: ({ expected }) =>
    (typeof expected === "object" ? expected.join(" or ") : expected) || "none",
  received: ({ received }) => describeValue(received),
} satisfies Comparison<Compared>;

/** Values that came, and those that are allowed. */
export interface ComparedLists {
  readonly received: readonly string[];
  readonly expected: readonly string[];
}

/** The comparison of a rule that allows each of several values. */
export const comparedLists = {
  holds: ({ received, expected }) => received.every((each) => expected.includes(each)),
  expected: ({ expected }) => expected.join(" ") || "none",
  received: ({ received }) => received.join(" ") || "none",
} satisfies Comparison<ComparedLists>;

/** Describes a value that a request sent, which may be of any type. */
export function describeValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "none";
}
