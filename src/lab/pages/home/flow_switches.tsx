/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/duration.ts";
import { requestMistakes } from "../../client_role/broken_request.ts";
import type { Protection } from "../../client_role/client_abilities.ts";
import { Tag } from "../parts/tag.tsx";
import type { FlowDraft } from "./flow_draft.ts";

/** What protects the request, the response and the tokens. It depends on the client. */
export function flowSwitches(draft: FlowDraft): VNode {
  return (
    <fieldset id="builder-switches" data-live>
      <legend>Protection</legend>
      <div class="switch-choices">
        {switchesOf(draft).map(({ name, isOn, isFixed, label, help }) => {
          const isOffered = draft.offered.has(name);
          return (
            <DescribedBox
              id={name}
              name={name}
              checked={isOn}
              disabled={isFixed || !isOffered}
              label={label}
              help={isOffered ? help : "Not offered here."}
            />
          );
        })}
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

/** A way to protect the request or the tokens. */
interface FlowSwitch {
  name: Protection;
  label: string;
  /** What it does, or why it cannot be chosen. */
  help: string;
  isOn: boolean;
  /** Whether it is as it is for this client. */
  isFixed: boolean;
}

function switchesOf({ abilities, options }: FlowDraft): FlowSwitch[] {
  const { requiresPar, requiresJar, requiresDpop, canSign } = abilities;
  return [
    {
      name: "par",
      label: "PAR",
      help: "Push the request first, out of the browser's reach.",
      isOn: options.usesPar,
      isFixed: requiresPar,
    },
    {
      name: "jar",
      label: "JAR",
      help: canSign ? "Sign the request." : "Sign the request. This client has no key for it.",
      isOn: options.usesJar,
      isFixed: requiresJar || !canSign,
    },
    {
      name: "jarm",
      label: "JARM",
      help: "Have the response signed.",
      isOn: options.usesJarm,
      isFixed: false,
    },
    {
      name: "dpop",
      label: "DPoP",
      help: "Bind the code and the tokens to a key.",
      isOn: options.usesDpop,
      isFixed: requiresDpop,
    },
  ];
}

interface DescribedBoxProps {
  id: string;
  name: string;
  value?: string;
  checked: boolean;
  disabled?: boolean;
  label: string;
  help: string;
}

/** A box with a sentence about what it does. */
function DescribedBox({ label, help, ...input }: DescribedBoxProps): VNode {
  const helpId = `${input.id}-help`;
  return (
    <label class="check">
      <input type="checkbox" {...input} aria-describedby={helpId} />
      <span>
        <strong>{label}</strong> <span class="help" id={helpId}>{help}</span>
      </span>
    </label>
  );
}
