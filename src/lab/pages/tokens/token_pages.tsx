/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { Context } from "../../../server/issuer/context.ts";
import { mintToken } from "../../control/token_operations.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { isEncryptedJwt } from "../../recording/credentials.ts";
import { identifyValue, type KnownValue } from "../../recording/presented_values.ts";
import { type ExplainedToken, explainToken, type TokenIssuer } from "../../tokens/explain_token.ts";
import { operationForm } from "../operations/operation_form.tsx";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { formAt, pageAt } from "../page/page_routes.ts";
import { DecodedToken } from "../parts/decoded_token.tsx";
import type { Field } from "../parts/fields.tsx";
import { FormFields, LabForm, SubmitRow } from "../parts/form.tsx";
import { PageHead, Section } from "../parts/section.tsx";

const maxTokens = 6;

/** A JWT, wherever it is in a text: in a header, a URL, or the JSON of a token response. */
const jwtPattern = /[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g;

/** What was found in a text that a developer pasted. */
interface PastedText {
  tokens: ExplainedToken[];
  /** What the text is, if there is no JWT in it. */
  description?: string | undefined;
}

/** The page that mints tokens and explains them. Tokens are posted, to stay out of URLs. */
export const tokenPages: readonly LabPageRoute[] = [
  pageAt("/tokens", (lab, call) => tokensPage(lab, call)),
  formAt("/tokens/explain", async (lab, call) => {
    const pasted = await explainPasted(lab, call.form.get("text") ?? "");
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
  pasted?: PastedText,
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
function pastedTokens({ description, tokens }: PastedText): VNode {
  return (
    <>
      {description !== undefined && <p class="caution" role="status">{description}</p>}
      <div class="split">{tokens.map((token) => tokenSection(token.jwt.name, token))}</div>
    </>
  );
}

function tokenSection(title: string, token: ExplainedToken): VNode {
  return (
    <Section title={title}>
      <DecodedToken token={token} showsText />
    </Section>
  );
}

/** Explains every JWT in a text; or else what the text is. */
async function explainPasted(issuer: TokenIssuer, text: string): Promise<PastedText> {
  const candidates = [...new Set(text.match(jwtPattern) ?? [])].slice(0, maxTokens);
  const explained = await Promise.all(candidates.map((each) => explainToken(issuer, each)));
  const tokens = explained.filter((each) => each !== undefined);
  if (tokens.length > 0) return { tokens };
  return { tokens, description: await describeText(issuer.context, text.trim()) };
}

async function describeText(ctx: Context, text: string): Promise<string> {
  if (text === "") return "Paste a token first.";
  const known = await identifyValue(ctx, text);
  if (known) return describeKnown(known);
  if (isEncryptedJwt(text)) {
    return "This is an encrypted JWT (JWE): five parts, of which only its receiver reads more.";
  }
  return "Not a JWT, and not an active token of this lab: it is opaque, expired, used or foreign.";
}

function describeKnown(known: KnownValue): string {
  if (known.kind === "code") return "This is an authorization code of this lab.";
  const { kind, clientId, scope } = known;
  return `This is an active ${kind} of the client '${clientId}', with the scope '${scope}'.`;
}
