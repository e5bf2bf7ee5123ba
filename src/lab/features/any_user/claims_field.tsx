/** @jsxImportSource preact */
import type { VNode } from "preact";
import { refusedField } from "../../sign_in/one_click_page.tsx";

/** The field for the claims of a user whom the lab does not know yet. */
export function ClaimsField(
  { maxLength, text, isInvalid }: {
    maxLength: number;
    text?: string | undefined;
    isInvalid: boolean;
  },
): VNode {
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
        {...isInvalid && refusedField}
      >
        {text}
      </textarea>
    </label>
  );
}
