/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type OwnParameters, textParameters } from "../../client_role/own_parameters.ts";
import { TextArea, TextField } from "../parts/fields.tsx";

type TextParameter = (typeof textParameters)[number];

const hints: Readonly<Record<TextParameter, string>> = {
  login_hint: "instead of the chosen user",
  acr_values: "urn:example:mfa",
  claims: '{"id_token": {"email": null}}',
  resource: "https://api.example",
  ui_locales: "de en",
};

/** The fields for any parameter of the request. */
export function OwnFields({ own }: { own: OwnParameters }): VNode {
  return (
    <>
      <div class="fields">
        {textParameters.map((name) => (
          <TextField name={name} label={name} value={own.written[name]} hint={hints[name]} />
        ))}
      </div>
      <TextArea
        name="other"
        label="Other parameters"
        value={own.written.other}
        hint="display=page
code_challenge_method=S512"
        help="One name=value a line. It replaces the value that the lab would send."
        rows={3}
      />
      <p class="problem" id="other-problem" role="status" data-live>{own.problem}</p>
    </>
  );
}
