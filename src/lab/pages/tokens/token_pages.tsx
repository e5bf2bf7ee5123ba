/** @jsxImportSource preact */
import type { VNode } from "preact";
import { mintToken } from "../../control/token_operations.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { type ExplainedText, explainText } from "../../tokens/explain_text.ts";
import { operationForm } from "../operations/operation_form.tsx";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { formAt, pageAt } from "../page/page_routes.ts";
import { DecodedToken } from "../parts/decoded_token.tsx";
import type { Field } from "../parts/fields.tsx";
import { FormFields, LabForm, SubmitRow } from "../parts/form.tsx";
import { PageHead, Section } from "../parts/section.tsx";

/** The page that mints tokens and explains them. Tokens are posted, to stay out of URLs. */
export const tokenPages: readonly LabPageRoute[] = [
  pageAt("/tokens", (lab, call) => tokensPage(lab, call)),
  formAt("/tokens/explain", async (lab, call) => {
    const pasted = await explainText(lab, call.form.get("text") ?? "");
    return await tokensPage(lab, call, pasted);
  }),
];

const pastedField: Field = {
  name: "text",
  label: "A JWT, a token response, or any text with tokens in it",
  kind: "lines",
  rows: 6,
  required: true,
};

async function tokensPage(
  lab: CoreLab,
  call: LabPageCall,
  pasted?: ExplainedText,
): Promise<LabPage> {
  const values = new URLSearchParams(call.query);
  if (!values.get("sub")) values.set("sub", lab.users.list()[0]?.name ?? "");
  const forms = [
    <Section title="Mint a token">
      {await operationForm(lab, call, mintToken, { values }, false)}
    </Section>,
    <Section title="Explain a token">
      <LabForm page={call} action="/tokens/explain" id="explain">
        <FormFields fields={[pastedField]} values={call.form} />
        <SubmitRow look="secondary">Explain</SubmitRow>
      </LabForm>
    </Section>,
  ];
  return {
    title: "Tokens",
    area: "tokens",
    isLive: true,
    content: (
      <>
        <PageHead title="Tokens">
          Mint a token without a flow, or paste one to see what is in it. Nothing leaves this lab.
        </PageHead>
        {pasted && <div id="result">{pastedTokens(pasted)}</div>}
        {/* The form that was sent is next to its result. */}
        <div class="split">{pasted ? forms.toReversed() : forms}</div>
      </>
    ),
  };
}

/** What was found in a text that was pasted. */
function pastedTokens({ description, tokens }: ExplainedText): VNode {
  return (
    <>
      {description !== undefined && <p class="caution" role="status">{description}</p>}
      <div class="split">
        {tokens.map((token) => (
          <Section title={token.jwt.name}>
            <DecodedToken token={token} showsText />
          </Section>
        ))}
      </div>
    </>
  );
}
