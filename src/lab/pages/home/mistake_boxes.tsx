/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/describe_span.ts";
import { requestMistakes } from "../../client_role/broken_request.ts";
import type { ClientAbilities } from "../../client_role/client_abilities.ts";
import { Tag } from "../parts/tag.tsx";

interface MistakeBoxesProps {
  abilities: ClientAbilities;
  chosen: readonly string[];
}

/** The protections that can be left out or broken. They depend on the client. */
export function MistakeBoxes({ abilities, chosen }: MistakeBoxesProps): VNode {
  return (
    <details id="mistakes" open={chosen.length > 0}>
      <summary>
        Break it: see what is refused{" "}
        <span id="mistake-count" data-live>
          {chosen.length > 0 && <Tag tone="bad">{counted(chosen.length, "mistake")}</Tag>}
        </span>
      </summary>
      <div class="switch-choices" id="mistake-choices" data-live>
        {requestMistakes.filter((each) => each.appliesTo(abilities)).map((
          { name, label, help },
        ) => (
          <label class="check">
            <input
              type="checkbox"
              name="mistake"
              value={name}
              checked={chosen.includes(name)}
              aria-describedby={`mistake-${name}`}
            />
            <span>
              <strong>{label}</strong> <span class="help" id={`mistake-${name}`}>{help}</span>
            </span>
          </label>
        ))}
      </div>
    </details>
  );
}
