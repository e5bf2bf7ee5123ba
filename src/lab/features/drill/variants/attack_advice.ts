import { type Basis, basisIn } from "../../../findings/finding.ts";
import type { RowClass } from "../../../findings/grade.ts";
import { catalogue } from "../../faults/catalogue.ts";
import type { DrillVariant } from "./drill_variant.ts";
import { faultChannels, faultClasses } from "./fault_classes.ts";
import texts from "./texts.json" with { type: "json" };

/** What is at stake in a variant, each in one sentence. */
interface AttackAdvice {
  /** What an attacker gains if a client accepts it, or what users lose if it refuses. */
  gain: string;
  fix: string;
}

interface DescribedVariant extends AttackAdvice, Basis {
  id: string;
  title: string;
}

/** "The ID token of a refresh names a different issuer." */
const sentence = /^The (.+?) ((?:is|has|names|was|expired|lists|does)\b.*)\.$/s;

/**
 * The worst first: what a link suffices for, then what takes a forged or foreign token, by what it
 * gains: any account, another's account, their own in its place.
 */
const severities: readonly RegExp[] = [
  /^callback\.(wrong_state|without_state|fixated_session|foreign_code)$/,
  /^(id_token|jarm|userinfo)\..*(alg_none|foreign_sig|hs256|encrypted_unsigned)|^jwks\./,
  /^id_token\..*(sub|aud|azp|iss)|foreign_code|fixated|^metadata\./,
  /^callback\.|^jarm\.|^id_token\..*nonce/,
  /^(refresh|userinfo)\.|expired|without_exp/,
];

/** Returns how bad it is if an application handles a variant wrongly: 0 is the worst. */
export function severityOf({ fault, expectation }: DrillVariant): number {
  const severity = severities.findIndex((pattern) => pattern.test(fault));
  if (expectation !== "refuse") return severities.length + 1;
  return severity < 0 ? severities.length : severity;
}

export function describeVariant(variant: DrillVariant): DescribedVariant {
  const { fault, expectation } = variant;
  const table = expectation === "refuse" ? texts.attacks : texts.losses;
  const usual = texts.expectations[expectation];
  const [gain = "", fix = ""] = entryFor(fault, table)?.split(" To do: ") ??
    (expectation === "accept" ? [lossOf(variant), usual] : usual.split(" To do: "));
  return { id: fault, title: mistakeOf(variant), gain, fix, ...basisIn(variant) };
}

/** Returns what decides how bad it is if an application handles a variant wrongly. */
export function classOf(variant: DrillVariant): RowClass {
  const { fault, expectation, rule = "may" } = variant;
  const { gain } = describeVariant(variant);
  if (expectation !== "refuse") return { rule, kind: "interoperability", gain };
  return { rule, ...entryFor(fault, faultClasses), by: entryFor(fault, faultChannels), gain };
}

/** Returns what users cannot do where the provider does something valid that is refused. */
function lossOf({ fault, after }: DrillVariant): string {
  const summary = catalogue.get(fault)?.summary ?? fault;
  const when = summary.charAt(0).toLowerCase() + summary.slice(1);
  return `Your users cannot ${after === "refresh" ? "stay signed in" : "sign in"} when ${when}`;
}

/** Returns the line about a variant that was not judged: the condition comes first. */
export function noteOn(fault: string): string {
  return entryFor(fault, texts.notes) ?? fault;
}

/** Returns why a drill does not try a fault of the catalogue, or undefined if it does. */
export function leftOutReason(fault: string): string | undefined {
  return entryFor(fault, texts.leftOut);
}

/** Returns the entry of the first key with a pattern that fits: `*` stands for anything. */
function entryFor<T>(fault: string, table: Readonly<Record<string, T>>): T | undefined {
  const fits = (pattern: string) =>
    new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`).test(fault);
  return Object.entries(table).find(([patterns]) => patterns.split(" ").some(fits))?.[1];
}

/**
 * Names what an application does wrong that handles a variant wrongly, in a few words. The text of
 * some faults does not: it is about how the fault works.
 */
function mistakeOf({ fault, expectation }: DrillVariant): string {
  const summary = catalogue.get(fault)?.summary ?? fault;
  const known = entryFor(fault, texts.mistakes);
  if (known !== undefined) return known;
  const [, noun, rest] = sentence.exec(summary) ?? [];
  if (noun === undefined || rest === undefined || expectation === "either") return summary;
  const verb = expectation === "accept" ? "Refuses" : "Accepts";
  return `${verb} ${withArticle(noun)} that ${rest}`;
}

function withArticle(noun: string): string {
  if (noun.startsWith("metadata")) return noun;
  return /^[AEIOU]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}
