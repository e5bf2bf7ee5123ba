/** @jsxImportSource preact */
import type { VNode } from "preact";
import { TextField } from "../parts/fields.tsx";
import { Section } from "../parts/section.tsx";

interface FaultScopeProps {
  clients: readonly string[];
  values: URLSearchParams;
}

/** The fields that limit the fault that is turned on next. */
export function FaultScope({ clients, values }: FaultScopeProps): VNode {
  const value = (name: string) => values.get(name) ?? "";
  return (
    <Section title="The next fault">
      <div class="fields tight">
        <TextField
          name="client"
          label="For client"
          hint="every client"
          value={value("client")}
          options={clients}
        />
        <CountField name="times" label="The next … times" unset="always" value={value("times")} />
        <CountField name="after" label="After … requests" unset="0" value={value("after")} />
      </div>
      <p class="help">With “after” and no number of times, it strikes once.</p>
      <details id="more-scope">
        <summary>More</summary>
        <TextField name="state" label="For the flow with state" value={value("state")} />
        <TextField
          name="loginHint"
          label="For the flow with login_hint"
          value={value("loginHint")}
        />
        <TextField
          name="delay"
          label="Delay of slow faults, or Retry-After"
          hint="500ms, 30s"
          value={value("delay")}
        />
        <CountField
          name="status"
          label="Status of a response of your own"
          unset="200"
          value={value("status")}
        />
        <label for="body">Body of a response of your own</label>
        <textarea id="body" name="body" rows={3}>{value("body")}</textarea>
      </details>
    </Section>
  );
}

interface CountFieldProps {
  name: string;
  label: string;
  /** What an empty field means. */
  unset: string;
  value: string;
}

function CountField({ name, label, unset, value }: CountFieldProps): VNode {
  return (
    <div>
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        inputmode="numeric"
        placeholder={unset}
        autocomplete="off"
        value={value}
      />
    </div>
  );
}
