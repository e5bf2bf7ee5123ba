import { type Finding, rankOf } from "../../findings/finding.ts";

/** A mistake that more than one finding shows. */
export interface FoldRule {
  /** The findings that show it together. The first one, as bad as any, stands for all of them. */
  found: readonly [lead: string, ...others: string[]];
  /** What else the mistake explains, if it was found; `jarm.*` is every id that begins so. */
  explains?: readonly string[];
  /** A finding with which they are separate mistakes. */
  unless?: string;
  /** The id of the whole mistake, what it is called, and what to do, where one word says too little. */
  id?: string;
  title?: string;
  fix?: string;
}

/**
 * Returns one finding for each mistake, the worst first. What it explains is in its `folded`, unless
 * that is worse: then it is a finding of its own.
 */
export function foldFindings(
  findings: readonly Finding[],
  rules: readonly FoldRule[],
): Finding[] {
  const byId = new Map(findings.map((each) => [each.id, each]));
  const leadOf = new Map<string, string>();
  const texts = new Map<string, Pick<FoldRule, "id" | "title" | "fix">>();
  const rootOf = (id: string): string => {
    const lead = leadOf.get(id);
    return lead === undefined ? id : rootOf(lead);
  };
  for (const { found: [lead, ...others], explains = [], unless = "", ...own } of rules) {
    const [first, ...rest] = [lead, ...others].map((id) => byId.get(id));
    const isWorse = (each: Finding) => first !== undefined && rankOf(each) < rankOf(first);
    const isFound = rest.every((each) => each !== undefined && !isWorse(each));
    if (first === undefined || !isFound || byId.has(unless)) continue;
    const root = rootOf(lead);
    if (root === lead && own.title) texts.set(lead, own);
    for (const [id, each] of byId) {
      const isExplained = others.includes(id) || explains.some((each) => isNamed(id, each));
      if (isExplained && !isWorse(each) && id !== root && !leadOf.has(id)) leadOf.set(id, root);
    }
  }
  return worstFirst(
    findings.filter(({ id }) => !leadOf.has(id)).map((lead) => {
      const folded = findings.filter(({ id }) => leadOf.has(id) && rootOf(id) === lead.id);
      const named = texts.get(lead.id);
      if (folded.length === 0) return lead;
      // A lead that stands for the whole mistake is one of its parts as well.
      return { ...lead, ...named, folded: named ? [lead, ...folded] : folded };
    }),
  );
}

/** Adds each mistake that several findings show together, as its lead with another id and text. */
export function describeWith<Described extends { id: string; title: string; fix: string }>(
  all: readonly Described[],
  rules: readonly FoldRule[],
): readonly Described[] {
  const together = rules.flatMap(({ id, title, fix, found: [lead] }) => {
    const known = all.find((each) => each.id === lead);
    return id && title && known ? { ...known, id, title, ...fix && { fix } } : [];
  });
  return [...all, ...together];
}

/** Returns findings as they were before they were folded by some rules. */
export function unfoldFindings(
  findings: readonly Finding[],
  rules: readonly FoldRule[] = [],
): Finding[] {
  const wholes = rules.map(({ id }) => id);
  return findings.flatMap(({ folded = [], ...lead }) =>
    wholes.includes(lead.id) || folded.some(({ id }) => id === lead.id) ? folded : [lead, ...folded]
  );
}

/** Whether an id is one that a pattern names: `jarm.*` is every id that begins so. */
export function isNamed(id: string, pattern: string): boolean {
  return pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
}

function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => rankOf(one) - rankOf(other));
}
