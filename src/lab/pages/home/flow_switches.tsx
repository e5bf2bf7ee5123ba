/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/duration.ts";
import { requestMistakes } from "../../client_role/broken_request.ts";
import type { Protection } from "../../client_role/client_abilities.ts";
import { CheckBox } from "../parts/fields.tsx";
import { Tag } from "../parts/tag.tsx";
import type { FlowDraft } from "./flow_draft.ts";

/** What protects the request, the response and the tokens. It depends on the client. */
export function flowSwitches({ abilities, options, offered }: FlowDraft): VNode {
  const { requiresPar, requiresJar, requiresDpop, canSign } = abilities;
  const { usesPar: par, usesJar: jar, usesJarm: jarm, usesDpop: dpop } = options;
  const isOn = { par, jar, jarm, dpop };
  const isFixed = {
    par: requiresPar,
    jar: requiresJar || !canSign,
    jarm: false,
    dpop: requiresDpop,
  };
  return (
    <fieldset id="builder-switches" data-live>
      <legend>Protection</legend>
      <div class="switch-choices">
        {switches.map(([name, label, help]) => (
          <CheckBox
            id={name}
            name={name}
            checked={isOn[name]}
            disabled={isFixed[name] || !offered.has(name)}
            label={label}
            help={!offered.has(name)
              ? "Not offered here."
              : name === "jar" && !canSign
              ? `${help} This client has no key for it.`
              : help}
          />
        ))}
      </div>
    </fieldset>
  );
}

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
          <CheckBox
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

/** The ways to protect the request or the tokens. */
const switches: ReadonlyArray<readonly [name: Protection, label: string, help: string]> = [
  ["par", "PAR", "Push the request first, out of the browser's reach."],
  ["jar", "JAR", "Sign the request."],
  ["jarm", "JARM", "Have the response signed."],
  ["dpop", "DPoP", "Bind the code and the tokens to a key."],
];
