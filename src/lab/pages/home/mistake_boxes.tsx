/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/duration.ts";
import { requestMistakes } from "../../client_role/broken_request.ts";
import { Tag } from "../parts/tag.tsx";
import type { FlowDraft } from "./flow_draft.ts";
import { DescribedBox } from "./flow_switches.tsx";

/** The protections that can be left out or broken. They depend on the client. */
export function mistakeBoxes({ abilities, options: { mistakes } }: FlowDraft): VNode {
  return (
    <details id="mistakes" open={mistakes.length > 0}>
      <summary>
        Break it: see what is refused{" "}
        <span id="mistake-count" data-live>
          {mistakes.length > 0 && <Tag tone="bad">{counted(mistakes.length, "mistake")}</Tag>}
        </span>
      </summary>
      <div class="switch-choices" id="mistake-choices" data-live>
        {requestMistakes.filter((each) => each.appliesTo(abilities)).map((
          { name, label, help },
        ) => (
          <DescribedBox
            id={`mistake-${name}`}
            name="mistake"
            value={name}
            checked={mistakes.includes(name)}
            label={label}
            help={help}
          />
        ))}
      </div>
    </details>
  );
}
