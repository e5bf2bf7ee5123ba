/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { ClientAbilities } from "../../client_role/client_abilities.ts";
import type { FlowOptions } from "../../client_role/flow_options.ts";
import type { Protection } from "../../client_role/offered_protection.ts";

interface FlowSwitchesProps {
  abilities: ClientAbilities;
  options: FlowOptions;
  /** What the metadata announces. */
  offered: ReadonlySet<Protection>;
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

/** What protects the request, the response and the tokens. It depends on the client. */
export function FlowSwitches({ abilities, options, offered }: FlowSwitchesProps): VNode {
  return (
    <fieldset id="builder-switches" data-live>
      <legend>Protection</legend>
      <div class="switch-choices">
        {switchesOf(abilities, options).map((each) => (
          <Switch {...offered.has(each.name) ? each : missing(each)} />
        ))}
      </div>
    </fieldset>
  );
}

function switchesOf(abilities: ClientAbilities, options: FlowOptions): FlowSwitch[] {
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

/** What the metadata does not announce cannot be chosen. */
function missing(each: FlowSwitch): FlowSwitch {
  return { ...each, help: "Not offered here.", isFixed: true };
}

function Switch({ name, label, help, isOn, isFixed }: FlowSwitch): VNode {
  const helpId = `${name}-help`;
  return (
    <label class="check">
      <input
        type="checkbox"
        id={name}
        name={name}
        checked={isOn}
        disabled={isFixed}
        aria-describedby={helpId}
      />
      <span>
        <strong>{label}</strong> <span class="help" id={helpId}>{help}</span>
      </span>
    </label>
  );
}
