/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import type { FormOrigin } from "./form.tsx";
import { Verdict } from "./verdict.tsx";

/** What the lab can do about a request that it refused, or that waits, or has done. */
export interface OfferedFix {
  done?: { title: string; next: VNode };
  button?: VNode;
  /** Whether it is likely to be what the developer wants. */
  isLikely?: boolean;
  /** What to know before the button is pressed, or why there is none. */
  note?: string;
}

/** Where a fix is offered. */
export interface FixPlace extends FormOrigin {
  /** The path of the page that its form returns to. */
  here: string;
  /** How the developer tries again once it is done, if not by a sign-in at the application. */
  again?: string;
  /** The id of the button, on a page that may have several. */
  id?: string;
}

/** A refusal with what the lab can do about it: the button after it, but the result before it. */
export function WithFix(
  { fix, id = "fixed", children }: {
    fix: OfferedFix | undefined;
    id?: string;
    children?: ComponentChildren;
  },
): VNode {
  const { done, button, note } = fix ?? {};
  return (
    <>
      {done && <Verdict id={id} tone="good" title={done.title}>{done.next}</Verdict>}
      {children}
      {note && <p>{note}</p>}
      {button && <div class="fix">{button}</div>}
    </>
  );
}
