/** @jsxImportSource preact */
import type { VNode } from "preact";
import { TextArea, TextField } from "../parts/fields.tsx";
import { Section } from "../parts/section.tsx";

interface FaultScopeProps {
  clients: readonly string[];
  /** The tenants of the lab, which have faults of their own. */
  tenants: readonly string[];
  values: URLSearchParams;
  /** The name of the field that is wrong. */
  invalid: string | undefined;
}

/** The fields that limit the fault that is turned on next. */
export function FaultScope({ clients, tenants, values, invalid }: FaultScopeProps): VNode {
  const value = (name: string) => values.get(name) ?? "";
  return (
    <Section title="Options for the next fault" id="fault-scope">
      <div class="fields tight">
        <TextField
          invalid={invalid}
          name="client"
          label="For client"
          hint="every client"
          value={value("client")}
          options={clients}
        />
        {tenants.length > 0 && (
          <TextField
            invalid={invalid}
            name="tenant"
            label="For tenant"
            hint="the lab itself"
            value={value("tenant")}
            options={tenants}
          />
        )}
        <TextField
          invalid={invalid}
          name="times"
          label="The next … times"
          hint="always"
          value={value("times")}
          isCount
        />
        <TextField
          invalid={invalid}
          name="after"
          label="After … requests"
          hint="0"
          value={value("after")}
          isCount
        />
      </div>
      <p class="help">If you set only “after”, it fires once.</p>
      <details id="more-scope" open={invalid === "delay" || invalid === "status"}>
        <summary>More</summary>
        <TextField
          invalid={invalid}
          name="state"
          label="For the flow with state"
          value={value("state")}
        />
        <TextField
          invalid={invalid}
          name="loginHint"
          label="For the flow with login_hint"
          value={value("loginHint")}
        />
        <TextField
          invalid={invalid}
          name="delay"
          label="Delay of slow faults, or Retry-After"
          hint="500ms, 30s"
          value={value("delay")}
        />
        <TextField
          invalid={invalid}
          name="status"
          label="Status of your own response"
          hint="200"
          value={value("status")}
          isCount
        />
        <TextArea
          invalid={invalid}
          name="body"
          label="Body of your own response"
          value={value("body")}
          rows={3}
        />
      </details>
    </Section>
  );
}
