/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import { type ExplainedToken, explainToken } from "../../tokens/explain_token.ts";
import type { MintedTokens } from "../../tokens/mint.ts";
import type { MintOptions } from "../../tokens/mint_options.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import type { Field } from "../parts/fields.tsx";
import { FormFields, LabForm } from "../parts/form.tsx";
import { readFields } from "../parts/form_values.ts";
import { Section } from "../parts/section.tsx";

function fieldsOf(lab: CoreLab): Field[] {
  const clients = lab.clients.list().map(({ id }) => id);
  return [
    {
      name: "sub",
      label: "For whom",
      options: [...lab.users.list().map(({ name }) => name), ...clients],
      help: "A user, a client for itself, or any subject.",
    },
    {
      name: "kind",
      label: "Kind",
      choices: [
        ["", "Access token"],
        ["id", "ID token"],
        ["refresh", "Refresh token"],
        ["logout", "Logout token"],
      ],
    },
    { name: "client", label: "Client", options: clients, hint: clients[0] },
    {
      name: "scope",
      label: "Scope",
      hint: "the default of the client",
      help: "With openid there is an ID token, with offline_access a refresh token.",
    },
    { name: "more-mint", label: "More", fields: moreFields },
  ];
}

const moreFields: readonly Field[] = [
  { name: "expiresIn", label: "Expires in", hint: "1h, or -1m: already expired" },
  { name: "audience", label: "Audience", kind: "words" },
  { name: "omit", label: "Claims to leave out", kind: "words", hint: "exp nbf" },
  { name: "claims", label: "Additional claims", kind: "json", hint: '{ "roles": ["admin"] }' },
  { name: "header", label: "Header", kind: "json", hint: '{ "typ": "JWT", "kid": null }' },
];

/** The form that mints tokens. */
export function mintForm(lab: CoreLab, call: LabPageCall, problem: string | undefined): VNode {
  // A page that leads here can have filled it in.
  const values = new URLSearchParams([...call.form, ...call.query]);
  if (!values.get("sub")) values.set("sub", lab.users.list()[0]?.name ?? "");
  return (
    <Section title="Mint a token">
      <LabForm page={call} action="/tokens/mint" id="mint">
        {problem !== undefined && <p class="alert" id="mint-problem" role="alert">{problem}</p>}
        <FormFields fields={fieldsOf(lab)} values={values} />
        <button type="submit">Mint</button>
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

/** Mints what the form describes. */
export async function mintFromForm(lab: CoreLab, form: URLSearchParams): Promise<MintedResult> {
  const options = readOptions(lab, form);
  const tokens = await lab.mint(options);
  const members = [...Object.entries(tokens)].filter(([name]) => name !== "token");
  const explained = await Promise.all(members.map(async ([name, value]) => {
    const token = typeof value === "string" ? await explainToken(lab, value) : undefined;
    return token && [name, token] as const;
  }));
  return { tokens, options, explained: explained.filter((each) => each !== undefined) };
}

function readOptions(lab: CoreLab, form: URLSearchParams): MintOptions {
  const options = { sub: "", ...readFields(fieldsOf(lab), form) } as MintOptions;
  const [audience, ...others] = [options.audience ?? []].flat();
  return audience === undefined || others.length > 0 ? options : { ...options, audience };
}
