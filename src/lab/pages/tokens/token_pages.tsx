/** @jsxImportSource preact */
import type { CoreLab } from "../../core/core_lab.ts";
import { LabError } from "../../util/lab_error.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import type { Field } from "../parts/fields.tsx";
import { FormFields } from "../parts/form.tsx";
import { LabForm } from "../parts/lab_form.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { explainPasted, type PastedText } from "./explain_pasted.ts";
import { type MintedResult, mintForm, mintFromForm } from "./mint_form.tsx";
import { mintedTokens, pastedTokens } from "./token_results.tsx";

/** The page that mints tokens and explains them. Tokens are posted, to stay out of URLs. */
export const tokenPages: readonly LabPageRoute[] = [
  { method: "GET", path: "/tokens", handle: (lab, call) => tokensPage(lab, call, {}) },
  { method: "POST", path: "/tokens/mint", handle: mintTokens },
  { method: "POST", path: "/tokens/explain", handle: explainTokens },
];

const pastedField: Field = {
  name: "text",
  label: "A JWT, a token response, or any text with tokens in it",
  kind: "lines",
  rows: 6,
  required: true,
};

/** What a form of the page led to. */
interface TokenResults {
  minted?: MintedResult;
  mintProblem?: string;
  pasted?: PastedText;
}

async function mintTokens(lab: CoreLab, call: LabPageCall): Promise<LabPage> {
  try {
    return tokensPage(lab, call, { minted: await mintFromForm(lab, call.form) });
  } catch (cause) {
    if (!(cause instanceof LabError)) throw cause;
    return { ...tokensPage(lab, call, { mintProblem: cause.message }), status: 422 };
  }
}

async function explainTokens(lab: CoreLab, call: LabPageCall): Promise<LabPage> {
  const pasted = await explainPasted(lab, call.form.get("text") ?? "");
  return tokensPage(lab, call, { pasted });
}

function tokensPage(lab: CoreLab, call: LabPageCall, results: TokenResults): LabPage {
  const { minted, mintProblem, pasted } = results;
  return {
    title: "Tokens",
    area: "tokens",
    isLive: true,
    content: (
      <>
        <PageHead title="Tokens" actions={call.additions("actions on tokens")}>
          Mint a token without a flow, or paste one to see what is in it. Nothing leaves this lab.
        </PageHead>
        <div class="split">
          {mintForm(lab, call, mintProblem)}
          <Section title="Explain a token">
            <LabForm page={call} action="/tokens/explain#result" id="explain">
              <FormFields fields={[pastedField]} values={call.form} />
              <button type="submit" class="secondary">Explain</button>
            </LabForm>
          </Section>
        </div>
        {minted && mintedTokens(minted)}
        {pasted && pastedTokens(pasted)}
      </>
    ),
  };
}
