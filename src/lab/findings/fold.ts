import type { Finding } from "./finding.ts";

/** A mistake that more than one finding shows. */
export interface FoldRule {
  /** The findings that show it together. The first one stands for all of them. */
  found: readonly [lead: string, ...others: string[]];
  /** What else the mistake explains, if it was found; `jarm.*` is every id that begins so. */
  explains?: readonly string[];
  /** What the first one is called, and what to do, where its own words say too little. */
  title?: string;
  fix?: string;
}

/**
 * Returns one finding for each mistake: what it explains is in its `folded`. A finding that is worse
 * than what would explain it stays.
 */
export function foldFindings(
  findings: readonly Finding[],
  rules: readonly FoldRule[],
): Finding[] {
  const byId = new Map(findings.map((each) => [each.id, each]));
  const leadOf = new Map<string, string>();
  const texts = new Map<string, Pick<FoldRule, "title" | "fix">>();
  const rootOf = (id: string): string => {
    const lead = leadOf.get(id);
    return lead === undefined ? id : rootOf(lead);
  };
  for (const { found: [lead, ...others], explains = [], title, fix } of rules) {
    if (![lead, ...others].every((id) => byId.has(id))) continue;
    const root = rootOf(lead);
    if (root === lead) {
      texts.set(lead, { ...texts.get(lead), ...title && { title }, ...fix && { fix } });
    }
    const worst = rankOf(byId.get(root));
    for (const [id, finding] of byId) {
      const isExplained = others.includes(id) || explains.some((each) => isNamed(id, each));
      if (isExplained && id !== root && !leadOf.has(id) && rankOf(finding) >= worst) {
        leadOf.set(id, root);
      }
    }
  }
  return findings.filter(({ id }) => !leadOf.has(id)).map((lead) => {
    const folded = findings.filter(({ id }) => leadOf.has(id) && rootOf(id) === lead.id);
    return folded.length === 0 ? lead : { ...lead, ...texts.get(lead.id), folded };
  });
}

function isNamed(id: string, pattern: string): boolean {
  return pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
}

/** The worst first. */
function rankOf(finding: Finding | undefined): number {
  return ["attack", "rule", undefined].indexOf(finding?.kind);
}
