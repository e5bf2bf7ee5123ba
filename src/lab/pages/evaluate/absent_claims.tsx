/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { AbsentClaim } from "../../control/evaluation.ts";

interface AbsentClaimsProps {
  /** Begins the id. */
  id: string;
  absent: readonly AbsentClaim[];
}

/** The claims that do not come, grouped by the reason, which many share. */
export function AbsentClaims({ id, absent }: AbsentClaimsProps): VNode {
  const reasons = [...new Set(absent.map(({ why }) => why))];
  return (
    <details id={`${id}-absent`}>
      <summary>
        {absent.length === 1 ? "1 claim does not come" : `${absent.length} claims do not come`}
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
