import axe from "axe-core";
import { HtmlValidate } from "html-validate";
import type { Tab } from "../../support/chromium.ts";
import {
  cutPlaceholders,
  elementsBeyond,
  type Look,
  lookAt,
  touchingTags,
} from "../../support/page_quality.ts";

/** A look, and what is checked in it. */
export interface CheckedLook extends Look {
  /** All rules of axe (WCAG 2.2 AA and good practice), or those that depend on the theme. */
  rules?: "all" | "colors";
}

/** Every look that a page must be good in. A theme changes nothing but colors. */
export const everyLook: readonly CheckedLook[] = [
  ...[1280, 360].flatMap((width) => [
    { width, theme: "light", rules: "all" } as const,
    { width, theme: "dark", rules: "colors" } as const,
  ]),
  { width: 320, theme: "light", isSpaced: true, rules: "all" },
];

/** What a language may change: whether its words fit, and the direction of the page. */
export const translatedLooks: readonly CheckedLook[] = [
  { width: 1280, theme: "light" },
  { width: 360, theme: "light", rules: "all" },
];

const runOptions = {
  all: { rules: { "target-size": { enabled: true } } },
  colors: { runOnly: ["color-contrast", "link-in-text-block"] },
};

const validator = new HtmlValidate({ extends: ["html-validate:standard", "html-validate:a11y"] });

/** Returns what is wrong with the page that a tab shows. */
export async function problemsOf(tab: Tab, looks: readonly CheckedLook[]): Promise<string[]> {
  return [...await markupProblems(tab), ...await problemsInLooks(tab, looks)];
}

/** Returns what does not fit or is not accessible, whoever wrote the markup. */
export async function problemsInLooks(
  tab: Tab,
  looks: readonly CheckedLook[],
): Promise<string[]> {
  const problems: string[] = [];
  await tab.evaluate(`${axe.source}; undefined`);
  for (const look of looks) {
    await lookAt(tab, look);
    const found = [
      ...await elementsBeyond(tab),
      ...await touchingTags(tab),
      ...look.isSpaced ? [] : await cutPlaceholders(tab),
      ...await accessibilityProblems(tab, look),
    ];
    const name = [look.width, look.theme, look.isSpaced && "spaced"].filter(Boolean).join(", ");
    problems.push(...found.map((each) => `${name}: ${each}`));
  }
  return problems;
}

async function markupProblems(tab: Tab): Promise<string[]> {
  const { results } = await validator.validateString(await tab.html());
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId} ${line}:${column} ${message}`)
  );
}

interface AxeViolation {
  id: string;
  nodes: Array<{ html: string; failureSummary?: string }>;
}

async function accessibilityProblems(tab: Tab, { rules }: CheckedLook): Promise<string[]> {
  if (rules === undefined) return [];
  const options = { ...runOptions[rules], resultTypes: ["violations"] };
  const violations = await tab.evaluate<AxeViolation[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, nodes })))`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ""}`)
  );
}
