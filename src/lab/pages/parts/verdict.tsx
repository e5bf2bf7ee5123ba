/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { describeVerdict, type Verdict as FoundVerdict } from "../../findings/verdict.ts";
import type { Tone } from "./tag.tsx";

/** What a verdict is for: how much was tested, and what was not. */
export function VerdictScope({ verdict }: { verdict: FoundVerdict }): VNode {
  return <span class="verdict-scope">{describeVerdict({ ...verdict, grade: undefined })}</span>;
}

interface VerdictProps {
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
}

/** The result of the last action, at the top of the page: in sight, and above any form. */
export function Verdict({ tone, title, id, live, actions, children }: VerdictProps): VNode {
  return (
    <section class={`verdict ${tone}`} id={id} role="status" data-live={live || undefined}>
      <p class="verdict-title">{title}</p>
      {children}
      {actions && <div class="button-row">{actions}</div>}
    </section>
  );
}
