/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/duration.ts";
import { RowGroup } from "../../pages/parts/rows.tsx";
import { unseenBy } from "./requirements.ts";

/** What no drill sees, in one folded paragraph: it is the same for every application, or API. */
export function UnseenRequirements(
  { id, side }: { id: string; side: "application" | "api" },
): VNode {
  const unseen = unseenBy(side);
  return (
    <RowGroup
      id={`${id}-unseen`}
      title="What no drill sees"
      count={counted(unseen.length, "requirement")}
      rows={[{
        tone: "neutral",
        state: "Not visible from outside",
        title: side === "api" ? "The same for every API" : "The same for every application",
        note: unseen.join(" "),
      }]}
    />
  );
}
