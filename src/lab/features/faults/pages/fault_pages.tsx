/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../../core/core_lab.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../../../pages/page/lab_page.ts";
import { formAt, pageAt } from "../../../pages/page/page_routes.ts";
import type { Field } from "../../../pages/parts/fields.tsx";
import { FormFields, FormProblem, LabForm } from "../../../pages/parts/form.tsx";
import { readFields } from "../../../pages/parts/form_values.ts";
import { FilterForm } from "../../../pages/parts/long_list.tsx";
import { Group, PageHead } from "../../../pages/parts/section.tsx";
import type { LabError } from "../../../util/lab_error.ts";
import type { FaultOptions } from "../config.ts";
import type { FaultTools } from "../feature.ts";
import { activeFaults, firedList } from "./active_faults.tsx";
import { faultCatalogue } from "./fault_catalogue.tsx";

const moreFields: readonly Field[] = [
  { name: "state", label: "For the flow with state" },
  { name: "loginHint", label: "For the flow with login_hint" },
  { name: "delay", label: "Delay of slow faults, or Retry-After", hint: "500ms, 30s" },
];

/** What some faults send, which the user defines. */
const content = {
  status: { name: "status", label: "Status of your own response", kind: "count", hint: "200" },
  body: { name: "body", label: "Body of your own response", kind: "any", rows: 3 },
  merge: { name: "merge", label: "JSON to merge into a changed response", kind: "any", rows: 3 },
  claims: { name: "claims", label: "Claims to add to tokens, as JSON", kind: "any", rows: 3 },
} as const satisfies Readonly<Record<string, Field>>;

function contentFields(name: string): Field[] {
  if (name.endsWith(".response")) return [content.status, content.body];
  if (name.endsWith(".changed")) return [content.status, content.merge];
  return name === "token.claims" ? [content.claims] : [];
}

export const faultPages: ReadonlyArray<LabPageRoute<FaultTools>> = [
  pageAt("/faults", (lab, call) => switchboardPage(lab, call)),
  formAt("/faults/switch", switchFault, switchboardPage),
];

/** Each button names its action: `on` and `off` have the name of a fault, `remove` has an id. */
function switchFault(
  lab: CoreLab & FaultTools,
  { form, query }: LabPageCall,
): string | undefined {
  const [on, off, remove] = ["on", "off", "remove"].map((name) => form.get(name));
  if (on) lab.faults.add(readFaultForm(lab, form, on));
  else if (off) switchOff(lab, off);
  else if (remove) lab.faults.remove(remove);
  else lab.faults.clear();
  // The bar of another page leads back to it.
  if (form.has("back")) return undefined;
  const q = form.get("q")?.trim();
  // A search survives each switch.
  const search = q ? `?${new URLSearchParams({ q })}` : "";
  return `/faults${search}${hashOf(on ?? off, query.get("list") ?? "")}`;
}

function hashOf(name: string | null | undefined, list: string): string {
  return name ? `#${encodeURIComponent(`${list}${name}`)}` : "";
}

function switchOff(lab: CoreLab & FaultTools, name: string): void {
  for (const fault of lab.faults.list()) if (fault.name === name) lab.faults.remove(fault.id);
}

function switchboardPage(
  lab: CoreLab & FaultTools,
  call: LabPageCall,
  problem?: LabError,
): LabPage {
  const faults = lab.faults.list();
  const search = (call.form.get("q") ?? call.query.get("q") ?? "").trim();
  return {
    title: "Break your client",
    area: "faults",
    style: "report.css",
    isLive: true,
    content: (
      <>
        <PageHead title="Break your client">
          A fault makes the lab misbehave, so that you can see what your client does about it.{" "}
          {call.additions("what faults are for")}
        </PageHead>
        <FormProblem problem={problem?.message} invalid={problem?.field} />
        <FilterForm
          action={`${call.base}/lab/faults`}
          label="Find a fault"
          hint="nonce, redirect, slow"
          query={new URLSearchParams(search === "" ? {} : { q: search })}
        />
        <LabForm page={call} action="/faults/switch" id="fault-form">
          {/* Enter in a field must not press the first button that comes. */}
          <button type="submit" disabled hidden />
          <div class="split narrow-end board">
            <div>
              {faultOptions(lab, call.form, problem?.field)}
              {faultCatalogue(faults, search, call.base)}
            </div>
            <div class="aside-column">
              {activeFaults(faults)}
              {firedList(lab, call)}
            </div>
          </div>
        </LabForm>
      </>
    ),
  };
}

/** Reads the fault that the form describes. `name` is that of the switch that was pressed. */
function readFaultForm(lab: CoreLab, form: URLSearchParams, name: string): FaultOptions {
  const fields = [...scopeFields(lab), ...moreFields, ...contentFields(name)];
  const { after, ...options } = readFields(fields, form);
  return { ...options, name, ...after ? { nth: Number(after) + 1 } : {} };
}

function scopeFields(lab: CoreLab): Field[] {
  const clients = lab.clients.list().map(({ id }) => id);
  return [
    { name: "client", label: "For client", hint: "every client", options: clients },
    { name: "tenant", label: "For tenant", hint: "the lab itself", options: lab.tenants.ids() },
    { name: "times", label: "The next … times", kind: "count", hint: "always" },
    {
      name: "after",
      label: "After … requests",
      kind: "count",
      hint: "0",
      help: "If you set only “after”, it fires once.",
    },
  ];
}

/** The fields that limit the fault that is turned on next. They open if one of them is wrong. */
function faultOptions(
  lab: CoreLab,
  values: URLSearchParams,
  invalid: string | undefined,
): VNode {
  // The tenants of the lab have faults of their own.
  const scope = scopeFields(lab).filter(({ name, options }) =>
    name !== "tenant" || options?.length
  );
  const more = {
    name: "more-scope",
    label: "More",
    fields: [...moreFields, ...Object.values(content)],
  };
  return (
    <Group
      id="fault-scope"
      title="Options for the next fault"
      count="which client, and how often"
      isFound={invalid !== undefined}
    >
      <FormFields fields={[...scope, more]} values={values} invalid={invalid} />
    </Group>
  );
}
