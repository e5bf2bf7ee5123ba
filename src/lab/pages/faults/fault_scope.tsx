/** @jsxImportSource preact */
import type { VNode } from "preact";
import { TextArea, TextField } from "../parts/fields.tsx";
import { Section } from "../parts/section.tsx";

interface FaultScopeProps {
  clients: readonly string[];
  values: URLSearchParams;
}

/** The fields that limit the fault that is turned on next. */
export function FaultScope({ clients, values }: FaultScopeProps): VNode {
  const value = (name: string) => values.get(name) ?? "";
  return (
    <Section title="The next fault" id="fault-scope">
      <div class="fields tight">
        <TextField
          name="client"
          label="For client"
          hint="every client"
          value={value("client")}
          options={clients}
        />
        <TextField
          name="times"
          label="The next … times"
          hint="always"
          value={value("times")}
          isCount
        />
        <TextField name="after" label="After … requests" hint="0" value={value("after")} isCount />
      </div>
      <p class="help">With “after” and no number of times, it fires once.</p>
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
        <TextField
          name="status"
          label="Status of a response of your own"
          hint="200"
          value={value("status")}
          isCount
        />
        <TextArea
          name="body"
          label="Body of a response of your own"
          value={value("body")}
          rows={3}
        />
      </details>
    </Section>
  );
}
