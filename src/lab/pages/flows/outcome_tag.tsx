/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { FlowOutcome } from "../../flows/flow_story.ts";
import { Tag } from "../parts/tag.tsx";

/** What became of a flow. */
export function OutcomeTag({ outcome: { kind, title } }: { outcome: FlowOutcome }): VNode {
  return <Tag tone={kind}>{title}</Tag>;
}
