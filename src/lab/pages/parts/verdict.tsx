/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { describeScope, type Verdict as FoundVerdict, whyNoGrade } from "../../findings/verdict.ts";
import { type ListRow, RowGroup } from "./rows.tsx";
import type { Tone } from "./tag.tsx";

/** What was found, with its grade, and what that is for: how much was tested, and what was not. */
export function GradedTitle(
  { verdict, children }: { verdict: FoundVerdict; children: ComponentChildren },
): VNode {
  const { grade } = verdict;
  const why = whyNoGrade(verdict);
  return (
    <>
      {grade && <span class={`grade grade-${grade.toLowerCase()}`}>{grade}</span>} {children}.{" "}
      {why && `No grade: ${why.charAt(0).toLowerCase()}${why.slice(1)} `}
      <span class="verdict-scope">{describeScope(verdict)}</span>
    </>
  );
}

/** Why something was not tested, and what was not judged: each behind a line of its own. */
export function VerdictScope({ id, verdict }: { id: string; verdict: FoundVerdict }): VNode {
  const [untested, notes] = scopeRows(verdict);
  return (
    <>
      <RowGroup id={`${id}-untested`} title="Not tested" rows={untested} />
      <RowGroup id={`${id}-notes`} title="Not judged" rows={notes} />
    </>
  );
}

/** Returns a row for each thing that was not tested, and for each that was not judged. */
export function scopeRows(
  { untested, notes }: FoundVerdict,
): [untested: ListRow[], notes: ListRow[]] {
  return [
    untested.map(({ what, why, used }) => ({
      tone: used ? "warn" : "neutral",
      state: "Not tested",
      title: `Not tested: ${what}`,
      note: why,
    })),
    notes.map(({ id, text }) => ({
      tone: "neutral",
      state: "Not judged",
      title: <code>{id}</code>,
      note: text,
    })),
  ];
}

/** The result of the last action, at the top of the page: in sight, and above any form. */
export function Verdict({ tone, title, id, live, actions, children }: {
  tone: Tone;
  /** The result in one sentence. */
  title: ComponentChildren;
  id?: string;
  /** Whether it is replaced when something happens in the lab. It needs an id then. */
  live?: boolean;
  /** What to do next: one button first. */
  actions?: ComponentChildren;
  /** The first thing to fix, or what there is to see. */
  children?: ComponentChildren;
}): VNode {
  return (
    <section class={`verdict ${tone}`} id={id} role="status" data-live={live || undefined}>
      <p class="verdict-title">{title}</p>
      {children}
      {actions && <div class="button-row">{actions}</div>}
    </section>
  );
}
