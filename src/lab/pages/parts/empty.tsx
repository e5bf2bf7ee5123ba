/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";

interface EmptyProps {
  title: string;
  /** What would fill the list. */
  children?: ComponentChildren;
}

/** Shown in place of a list that has no entries yet. */
export function Empty({ title, children }: EmptyProps): VNode {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <p>{children}</p>}
    </div>
  );
}
