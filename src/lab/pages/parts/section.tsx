/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";

/** The head of a page: its title, what it is for, and what can be done with all of it. */
export function PageHead({ title, actions, children }: {
  title: ComponentChildren;
  /** Buttons or tags at the right. */
  actions?: ComponentChildren;
  /** What the page is for, in a sentence. */
  children?: ComponentChildren;
}): VNode {
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {children && <p class="lead">{children}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </div>
  );
}

interface SectionProps {
  title: ComponentChildren;
  id?: string;
  /** Whether it is replaced when something happens in the lab. It needs an id then. */
  live?: boolean;
  /** Buttons or tags at the right of the title. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A part of a page with a title, on a card. */
export function Section({ title, id, live, actions, children }: SectionProps): VNode {
  return (
    <section class="panel" id={id} data-live={live || undefined}>
      <div class="panel-head">
        <h2>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

interface FoldedPartProps extends Pick<SectionProps, "title" | "children"> {
  id: string;
  /** What is in it, in a few words: "12 rules". */
  count: ComponentChildren;
  /** Tags that are seen while it is folded. */
  tags?: ComponentChildren;
  /** Whether a search found something in it: it is open then. */
  isFound?: boolean;
}

/** A folded part of a page, for one kind of many entries. */
export function Group(
  { id, title, count, tags, isFound = false, children }: FoldedPartProps,
): VNode {
  return (
    <details class="panel group" id={id} open={isFound} data-found={isFound || undefined}>
      <summary>
        <h2>{title}</h2> <span class="count">{count}</span> {tags}
      </summary>
      {children}
    </details>
  );
}
