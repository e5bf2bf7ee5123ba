/** @jsxImportSource preact */
import type { VNode } from "preact";
import { enteredFields, type EnteredForm } from "../parts/entered_fields.tsx";

interface FaultScopeProps extends EnteredForm {
  clients: readonly string[];
  /** The tenants of the lab, which have faults of their own. */
  tenants: readonly string[];
}

/**
 * The fields that limit the fault that is turned on next. A script folds them where the faults are
 * below them and not beside them, unless a field is wrong.
 */
export function FaultScope({ clients, tenants, values, invalid }: FaultScopeProps): VNode {
  const { Text, Area } = enteredFields({ values, invalid });
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
      <div class="fields tight">
        <Text name="client" label="For client" hint="every client" options={clients} />
        {tenants.length > 0 && (
          <Text name="tenant" label="For tenant" hint="the lab itself" options={tenants} />
        )}
        <Text name="times" label="The next … times" hint="always" isCount />
        <Text name="after" label="After … requests" hint="0" isCount />
      </div>
      <p class="help">If you set only “after”, it fires once.</p>
      <details id="more-scope" open={invalid === "delay" || invalid === "status"}>
        <summary>More</summary>
        <Text name="state" label="For the flow with state" />
        <Text name="loginHint" label="For the flow with login_hint" />
        <Text name="delay" label="Delay of slow faults, or Retry-After" hint="500ms, 30s" />
        <Text name="status" label="Status of your own response" hint="200" isCount />
        <Area name="body" label="Body of your own response" rows={3} />
      </details>
    </details>
  );
}
