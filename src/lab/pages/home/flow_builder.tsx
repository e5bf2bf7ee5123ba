/** @jsxImportSource preact */
import type { VNode } from "preact";
import { responseModes } from "../../../server/model/client_config.ts";
import { brokenParameters } from "../../client_role/broken_request.ts";
import {
  type FlowOptions,
  type Parameter,
  promptValues,
  textParameters,
} from "../../client_role/flow_options.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import { CheckBox, type Field } from "../parts/fields.tsx";
import { FormFields } from "../parts/form.tsx";
import { fillFields } from "../parts/form_values.ts";
import { Section } from "../parts/section.tsx";
import { Tag } from "../parts/tag.tsx";
import type { FlowDraft } from "./flow_draft.ts";
import { flowSwitches, mistakeBoxes } from "./flow_switches.tsx";

const requestFields: readonly Field[] = [
  {
    name: "prompt",
    label: "prompt",
    choices: [["", "Only what is needed"], ...promptValues.map((each) => [each, each] as const)],
  },
  { name: "max_age", member: "maxAge", label: "max_age", hint: "seconds" },
  {
    name: "response_mode",
    member: "responseMode",
    label: "response_mode",
    choices: responseModes.map((each) => [each, each]),
  },
];

const hints: Readonly<Record<(typeof textParameters)[number], string>> = {
  login_hint: "instead of the chosen user",
  acr_values: "urn:example:mfa",
  claims: '{"id_token": {"email": null}}',
  resource: "https://api.example",
  ui_locales: "de en",
};

/** The fields for any parameter of the request. */
const ownFields: readonly Field[] = [
  ...textParameters.map((name) => ({ name, label: name, hint: hints[name] })),
  {
    name: "other",
    label: "Other parameters",
    kind: "lines",
    hint: "display=page\ncode_challenge_method=S512",
    help: "One name=value a line. It replaces the value that the lab would send.",
    rows: 3,
  },
];

/**
 * The form that starts a flow. A script shows the request again with each choice; without one, a
 * button does.
 */
export function flowBuilder(
  lab: CoreLab,
  { base, query }: LabPageCall,
  draft: FlowDraft,
  { isRemembered, isPrimary }: {
    /** Whether the choices are those of the browser's last flow. */
    isRemembered: boolean;
    /** Whether its button is what to do next on the page. */
    isPrimary: boolean;
  },
): VNode {
  const { clients, abilities, options } = draft;
  const chosen = clients.find(({ id }) => id === options.clientId);
  const fields: Field[] = [
    {
      name: "client_id",
      member: "clientId",
      label: "Client",
      choices: clients.map(({ id, name }) => [id, name ?? id]),
    },
    {
      name: "user",
      label: "User",
      choices: [
        ["", "Any; choose at sign-in"],
        ...lab.users.list().map(({ name }) => [name, name] as const),
      ],
    },
  ];
  return (
    <Section title="No application yet?" id="builder">
      <form id="flow-builder" method="get" action={`${base}/`}>
        <input type="hidden" name="chosen" value="1" />
        <button
          type="submit"
          id="start-flow"
          class={isPrimary ? undefined : "secondary"}
          formAction={`${base}/start`}
          data-live
        >
          Start a flow as <bdi>{chosen?.name ?? options.clientId}</bdi>
        </button>
        <details id="options" open={query.has("client_id")}>
          <summary>Options</summary>
          <FormFields fields={fields} values={fillFields(fields, options)} />
          {scopeBoxes(abilities.scopes, options.scopes)}
          {moreOptions(draft)}
          {mistakeBoxes(draft)}
          <div class="button-row">
            <noscript>
              <button type="submit" class="secondary">Show the request</button>
            </noscript>
            {isRemembered && (
              <a href={`${base}/?client_id=${encodeURIComponent(options.clientId)}`}>
                Start from defaults
              </a>
            )}
          </div>
        </details>
        {requestPreview(draft)}
      </form>
    </Section>
  );
}

function moreOptions(draft: FlowDraft): VNode {
  const { options } = draft;
  const { own } = options;
  return (
    <details id="more-options" open={hasMoreOptions(options)}>
      <summary>More options</summary>
      {flowSwitches(draft)}
      <FormFields fields={requestFields} values={fillFields(requestFields, options)} />
      <FormFields fields={ownFields} values={fillFields(ownFields, own.written)} />
      <p class="problem" id="other-problem" role="status" data-live>{own.problem}</p>
    </details>
  );
}

function hasMoreOptions(options: FlowOptions): boolean {
  const { usesPar, usesJar, usesJarm, usesDpop, prompt, maxAge, responseMode, own } = options;
  const isProtected = usesPar || usesJar || usesJarm || usesDpop;
  const isWritten = own.parameters.length > 0 || own.problem !== undefined;
  return isProtected || isWritten || prompt !== undefined || maxAge !== undefined ||
    responseMode !== "query";
}

/** It depends on the client, so it is replaced when another one is chosen. */
function scopeBoxes(scopes: readonly string[], chosen: readonly string[]): VNode {
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

/** The request that the flow will begin with. The first step of the flow explains its parts. */
function requestPreview({ messages, options }: FlowDraft): VNode {
  const broken = brokenParameters(options.mistakes);
  return (
    <div id="request-preview" data-live>
      <h3>The request</h3>
      {messages.map(({ title, target, parameters }, at) => (
        <>
          {messages.length > 1 && <p class="help">{at + 1}. {title}</p>}
          {target && <code class="target">{target}</code>}
          <ul class="plain">
            {parameters.map(([name, value]) => (
              <li class={broken.has(name) ? "broken" : undefined}>
                <code>
                  <span class="part-name">{name}</span>=<span class="part-value">{value}</span>
                </code>{" "}
                {broken.has(name) && <Tag tone="bad">wrong</Tag>}
              </li>
            ))}
            {missingFrom(parameters, broken).map((name) => (
              <li class="broken">
                <code>
                  <s>{name}</s>
                </code>{" "}
                <Tag tone="bad">left out</Tag>
              </li>
            ))}
          </ul>
        </>
      ))}
    </div>
  );
}

/** Returns what a mistake left out of a message that has the other parameters. */
function missingFrom(parameters: readonly Parameter[], broken: ReadonlySet<string>): string[] {
  const names = parameters.map(([name]) => name);
  return names.includes("response_type") ? [...broken].filter((name) => !names.includes(name)) : [];
}
