/** @jsxImportSource preact */
import type { VNode } from "preact";
import { withWholeOptions } from "../../../server/pages/access_detail.tsx";
import { explainRefusal, type Refusal } from "../../recording/refusal.ts";
import { CopyAll } from "../parts/copy_text.tsx";
import { SectionLink } from "../parts/section_link.tsx";
import { Comparison } from "../parts/tables.tsx";

/** Why the server refused a request, how to fix it, and the rule that it broke. */
export function RefusalBox({ refusal, base, id = "refusal" }: {
  refusal: Refusal;
  /** The path below which the lab lives. Without it, nothing is a link. */
  base?: string;
  id?: string;
}): VNode {
  const { error, description, see, rule, fix } = refusal;
  return (
    <div class="refusal" id={id}>
      <p class="refusal-title">
        <code>{error}</code> {description}{" "}
        <CopyAll what="explanation" text={explainRefusal(refusal).join("\n")} />
      </p>
      <Comparison {...refusal} />
      {fix && <p>{withWholeOptions(fix)}</p>}
      <p class="see">
        {see && (base === undefined ? see : <SectionLink see={see} />)}
        {see && rule && " · "}
        {rule && (
          <>
            Rule <RuleName rule={rule} base={base} />
          </>
        )}
      </p>
    </div>
  );
}

function RuleName({ rule, base }: { rule: string; base: string | undefined }): VNode {
  const name = <code class="rule">{rule}</code>;
  return base === undefined ? name : <a href={`${base}/lab/rules#${rule}`}>{name}</a>;
}
