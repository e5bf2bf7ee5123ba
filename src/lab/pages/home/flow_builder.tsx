/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { UserConfig } from "../../../server/config/user_config.ts";
import type { ClientConfig } from "../../../server/features.ts";
import { responseModes } from "../../../server/model/client_config.ts";
import type { ClientAbilities } from "../../client_role/client_abilities.ts";
import { type FlowOptions, prompts } from "../../client_role/flow_options.ts";
import type { Protection } from "../../client_role/offered_protection.ts";
import { CheckBox, SelectField, TextField } from "../parts/fields.tsx";
import { Section } from "../parts/section.tsx";
import { FlowSwitches } from "./flow_switches.tsx";
import { MistakeBoxes } from "./mistake_boxes.tsx";
import { OwnFields } from "./own_fields.tsx";

interface FlowBuilderProps {
  /** The path below which the lab lives. */
  base: string;
  clients: readonly ClientConfig[];
  users: readonly UserConfig[];
  abilities: ClientAbilities;
  options: FlowOptions;
  /** The ways of protection that can be chosen. */
  offered: ReadonlySet<Protection>;
  /** Whether the choices are those of the last flow. */
  isRemembered: boolean;
}

/**
 * The form that starts a flow. A script shows the request again with each choice; without one, a
 * button does.
 */
export function FlowBuilder(props: FlowBuilderProps): VNode {
  const { base, clients, users, abilities, options, offered, isRemembered } = props;
  const { clientId, user } = options;
  return (
    <Section title="Start a flow" id="builder">
      <form id="flow-builder" method="get" action={`${base}/`}>
        <input type="hidden" name="chosen" value="1" />
        <div class="fields">
          <SelectField
            name="client_id"
            label="Client"
            value={clientId}
            options={clients.map(({ id, name }) => [id, name ?? id])}
          />
          <SelectField
            name="user"
            label="User"
            value={user ?? ""}
            options={[
              ["", "Any; choose at sign-in"],
              ...users.map(({ name }) => [name, name] as const),
            ]}
          />
        </div>
        <Scopes scopes={abilities.scopes} chosen={options.scopes} />
        <FlowSwitches abilities={abilities} options={options} offered={offered} />
        <MoreOptions options={options} />
        <MistakeBoxes abilities={abilities} chosen={options.mistakes} />
        <div class="button-row">
          <button type="submit" id="start-flow" formAction={`${base}/start`}>Start</button>
          <button type="submit" class="secondary" data-without-script>Show the request</button>
          {isRemembered && (
            <a href={`${base}/?client_id=${encodeURIComponent(clientId)}`}>Start from defaults</a>
          )}
        </div>
      </form>
    </Section>
  );
}

function MoreOptions({ options }: { options: FlowOptions }): VNode {
  const { prompt, maxAge, responseMode } = options;
  return (
    <details id="more-options" open={hasMoreOptions(options)}>
      <summary>More options</summary>
      <div class="fields">
        <SelectField
          name="prompt"
          label="prompt"
          value={prompt ?? ""}
          options={[
            ["", "Only what is needed"],
            ...prompts.map((each) => [each, each] as const),
          ]}
        />
        <TextField
          name="max_age"
          label="max_age"
          value={maxAge ?? ""}
          hint="seconds"
        />
        <SelectField
          name="response_mode"
          label="response_mode"
          value={responseMode}
          options={responseModes.map((each) => [each, each])}
        />
      </div>
      <OwnFields own={options.own} />
    </details>
  );
}

function hasMoreOptions({ prompt, maxAge, responseMode, own }: FlowOptions): boolean {
  const isWritten = own.parameters.length > 0 || own.problem !== undefined;
  return isWritten || prompt !== undefined || maxAge !== undefined || responseMode !== "query";
}

interface ScopesProps {
  scopes: readonly string[];
  chosen: readonly string[];
}

/** It depends on the client, so it is replaced when another one is chosen. */
function Scopes({ scopes, chosen }: ScopesProps): VNode {
  return (
    <fieldset id="builder-scopes" data-live>
      <legend>Scope</legend>
      <div class="scope-choices">
        {scopes.map((scope) => (
          <CheckBox name="scope" value={scope} checked={chosen.includes(scope)} label={scope} />
        ))}
      </div>
    </fieldset>
  );
}
