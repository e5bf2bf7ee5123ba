/** @jsxImportSource preact */
import type { VNode } from "preact";

/** The field for the claims of a user whom the lab does not know yet. */
export function ClaimsField({ maxLength }: { maxLength: number }): VNode {
  return (
    <label>
      <code>claims</code>
      <textarea
        name="claims"
        dir="ltr"
        rows={4}
        maxlength={maxLength}
        placeholder='{ "email": "zoe@example.com" }'
        spellcheck={false}
      />
    </label>
  );
}
