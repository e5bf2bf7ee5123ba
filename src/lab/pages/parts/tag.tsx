/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";

/** What a tag says about its subject. */
export type Tone = "good" | "bad" | "warn" | "neutral";

interface TagProps {
  tone?: Tone;
  children: ComponentChildren;
}

/** A short word about something: active, refused, revoked. The word carries the meaning, too. */
export function Tag({ tone = "neutral", children }: TagProps): VNode {
  return <span class={`tag ${tone}`}>{children}</span>;
}
