/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/describe_span.ts";
import type { AbsentClaim } from "../../control/evaluation.ts";

interface AbsentClaimsProps {
  /** Begins the id. */
  id: string;
  absent: readonly AbsentClaim[];
}

/** The claims that are not returned, grouped by the reason, which many share. */
export function AbsentClaims({ id, absent }: AbsentClaimsProps): VNode {
  const reasons = [...new Set(absent.map(({ why }) => why))];
  return (
    <details id={`${id}-absent`}>
      <summary>
        {counted(absent.length, "claim")} not returned
      </summary>
      {reasons.map((why) => (
        <p>
          <code>{absent.filter((each) => each.why === why).map(({ name }) => name).join(" ")}</code>
          <br />
          {why}
        </p>
      ))}
    </details>
  );
}
