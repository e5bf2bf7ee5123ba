/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { Refusal } from "../../recording/refusal.ts";
import { SectionLink } from "../parts/section_link.tsx";

interface RefusalBoxProps {
  refusal: Refusal;
  /** The path below which the lab lives. */
  base: string;
  id?: string;
}

/** Why the server refused a request, how to fix it, and the rule that it broke. */
export function RefusalBox({ refusal, base, id = "refusal" }: RefusalBoxProps): VNode {
  const { error, description, hint, see, rule, fix } = refusal;
  return (
    <div class="refusal" id={id}>
      <p class="refusal-title">
        <code>{error}</code> {description}
      </p>
      {hint && <p>{hint}</p>}
      {fix && <p>{fix}</p>}
      <p class="see">
        {see && <SectionLink see={see} />}
        {rule && (
          <>
            {see && " · "}Rule{" "}
            <a href={`${base}/lab/rules#${rule}`}>
              <code class="rule">{rule}</code>
            </a>
          </>
        )}
      </p>
    </div>
  );
}
