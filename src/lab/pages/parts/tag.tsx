/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { describeSpan, minute } from "../../../server/util/time/duration.ts";
import type { FlowOutcome } from "../../flows/flow_story.ts";

/** What a tag says about its subject. */
export type Tone = "good" | "bad" | "warn" | "neutral";

/** A short word about something: active, refused, revoked. The word carries the meaning, too. */
export function Tag(
  { tone = "neutral", children }: { tone?: Tone; children: ComponentChildren },
): VNode {
  return <span class={`tag ${tone}`}>{children}</span>;
}

export function OutcomeTag({ outcome: { kind, title } }: { outcome: FlowOutcome }): VNode {
  return <Tag tone={kind}>{title}</Tag>;
}

/** How long ago something happened, by the lab's clock; a script asks again now and then. */
export function Ago({ at, now }: {
  at: number;
  /** The time of the lab's clock. */
  now: number;
}): VNode {
  const instant = new Date(at).toISOString();
  return <time class="ago" dateTime={instant} title={instant}>{passed(now - at)}</time>;
}

function passed(milliseconds: number): string {
  if (Math.abs(milliseconds) < minute * 1000) return "just now";
  return `${describeSpan(milliseconds)} ${milliseconds < 0 ? "ahead" : "ago"}`;
}
