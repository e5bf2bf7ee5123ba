/** @jsxImportSource preact */
import type { VNode } from "preact";
import { requestMistakes } from "../../client_role/broken_request.ts";
import type { ClientAbilities } from "../../client_role/client_abilities.ts";

interface MistakeBoxesProps {
  abilities: ClientAbilities;
  chosen: readonly string[];
}

/** The protections that can be left out or broken. They depend on the client. */
export function MistakeBoxes({ abilities, chosen }: MistakeBoxesProps): VNode {
  return (
    <details id="mistakes" open={chosen.length > 0}>
      <summary>Break it: see how it is refused</summary>
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
