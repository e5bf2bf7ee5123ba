/** @jsxImportSource preact */
import type { VNode } from "preact";
import { describeSpan, minute } from "../../../server/util/time/duration.ts";

interface AgoProps {
  at: number;
  /** The time of the lab's clock. */
  now: number;
}

/** How long ago something happened, by the lab's clock; a script asks again now and then. */
export function Ago({ at, now }: AgoProps): VNode {
  const instant = new Date(at).toISOString();
  return <time class="ago" dateTime={instant} title={instant}>{passed(now - at)}</time>;
}

function passed(milliseconds: number): string {
  if (Math.abs(milliseconds) < minute * 1000) return "just now";
  return `${describeSpan(milliseconds)} ${milliseconds < 0 ? "ahead" : "ago"}`;
}
