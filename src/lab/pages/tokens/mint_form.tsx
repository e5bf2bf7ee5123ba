/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import { type ExplainedToken, explainToken } from "../../tokens/explain_token.ts";
import type { MintedTokens } from "../../tokens/mint.ts";
import type { MintOptions } from "../../tokens/mint_options.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import type { Field } from "../parts/fields.tsx";
import { FormFields, LabForm, SubmitRow } from "../parts/form.tsx";
import { readFields } from "../parts/form_values.ts";
import { schemaFields } from "../parts/schema_fields.ts";
import { Section } from "../parts/section.tsx";

/** The members of the operation that mints; what its schema says about them is shown. */
async function fieldsOf(lab: CoreLab): Promise<Field[]> {
  const clients = lab.clients.list().map(({ id }) => id);
  const [sub, kind, client, scope, ...more] = await schemaFields("MintOptions", {
    sub: {
      label: "For whom",
      options: [...lab.users.list().map(({ name }) => name), ...clients],
      help: "A user, a client for itself, or any subject.",
    },
    kind: {
      choices: [
        ["", "Access token"],
        ["id", "ID token"],
        ["refresh", "Refresh token"],
        ["logout", "Logout token"],
      ],
    },
    client: { options: clients, hint: clients[0], help: "" },
    scope: { help: "With openid there is an ID token, with offline_access a refresh token." },
    expiresIn: { hint: "1h" },
    audience: { kind: "words" },
    omit: { label: "Claims to leave out", hint: "exp nbf" },
    claims: { label: "Additional claims", hint: '{ "roles": ["admin"] }' },
    header: { hint: '{ "typ": "JWT", "kid": null }' },
    secret: {},
  });
  const fields = [sub, kind, client, scope].filter((field) => field !== undefined);
  return [...fields, { name: "more-mint", label: "More", fields: more }];
}

/** The form that mints tokens. */
export async function mintForm(
  lab: CoreLab,
  call: LabPageCall,
  problem: string | undefined,
): Promise<VNode> {
  // A page that leads here can have filled it in.
  const values = new URLSearchParams([...call.form, ...call.query]);
  if (!values.get("sub")) values.set("sub", lab.users.list()[0]?.name ?? "");
  return (
    <Section title="Mint a token">
      <LabForm page={call} action="/tokens/mint" id="mint">
        {problem !== undefined && <p class="alert" id="mint-problem" role="alert">{problem}</p>}
        <FormFields fields={await fieldsOf(lab)} values={values} />
        <SubmitRow stays>Mint</SubmitRow>
      </LabForm>
    </Section>
  );
}

/** What the form minted. */
export interface MintedResult {
  tokens: MintedTokens;
  /** Each JWT of the response, by the name of its member. */
  explained: Array<readonly [name: string, token: ExplainedToken]>;
  /** The same call of the interface over HTTP. */
  options: MintOptions;
}

export async function mintFromForm(lab: CoreLab, form: URLSearchParams): Promise<MintedResult> {
  const options = readOptions(await fieldsOf(lab), form);
  const tokens = await lab.mint(options);
  const members = [...Object.entries(tokens)].filter(([name]) => name !== "token");
  const explained = await Promise.all(members.map(async ([name, value]) => {
    const token = typeof value === "string" ? await explainToken(lab, value) : undefined;
    return token && [name, token] as const;
  }));
  return { tokens, options, explained: explained.filter((each) => each !== undefined) };
}

function readOptions(fields: readonly Field[], form: URLSearchParams): MintOptions {
  const options = { sub: "", ...readFields(fields, form) } as MintOptions;
  const [audience, ...others] = [options.audience ?? []].flat();
  return audience === undefined || others.length > 0 ? options : { ...options, audience };
}
