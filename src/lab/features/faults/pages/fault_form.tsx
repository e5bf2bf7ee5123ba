/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../../core/core_lab.ts";
import type { Field } from "../../../pages/parts/fields.tsx";
import { FormFields } from "../../../pages/parts/form.tsx";
import { readFields } from "../../../pages/parts/form_values.ts";
import type { FaultOptions } from "../fault.ts";

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

const moreFields: readonly Field[] = [
  { name: "state", label: "For the flow with state" },
  { name: "loginHint", label: "For the flow with login_hint" },
  { name: "delay", label: "Delay of slow faults, or Retry-After", hint: "500ms, 30s" },
];

/** The fields of a response that the user defines, for a fault without one. */
const responseFields: readonly Field[] = [
  { name: "status", label: "Status of your own response", kind: "count", hint: "200" },
  { name: "body", label: "Body of your own response", kind: "any", rows: 3 },
];

/** Reads the fault that the form describes. `name` is that of the switch that was pressed. */
export function readFaultForm(lab: CoreLab, form: URLSearchParams, name: string): FaultOptions {
  const own = name.endsWith(".response") ? responseFields : [];
  const { after, ...options } = readFields([...scopeFields(lab), ...moreFields, ...own], form);
  return { ...options, name, ...after ? { nth: Number(after) + 1 } : {} };
}

/**
 * The fields that limit the fault that is turned on next. A script folds them where the faults are
 * below them and not beside them, unless a field is wrong.
 */
export function faultForm(
  lab: CoreLab,
  values: URLSearchParams,
  invalid: string | undefined,
): VNode {
  // The tenants of the lab have faults of their own.
  const scope = scopeFields(lab).filter(({ name, options }) =>
    name !== "tenant" || options?.length
  );
  const more = { name: "more-scope", label: "More", fields: [...moreFields, ...responseFields] };
  return (
    <details
      class="panel group"
      id="fault-scope"
      open
      data-fold-if-narrow={invalid === undefined || undefined}
    >
      <summary>
        <h2>Options for the next fault</h2>
      </summary>
      <FormFields fields={[...scope, more]} values={values} invalid={invalid} />
    </details>
  );
}
