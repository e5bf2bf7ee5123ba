/** @jsxImportSource preact */
import type { VNode } from "preact";
import { deviceCodeGrantType } from "../../../../server/protocol/grant_types.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import type { Field } from "../../../pages/parts/fields.tsx";
import { FormFields } from "../../../pages/parts/form.tsx";
import { readFields } from "../../../pages/parts/form_values.ts";
import { Section } from "../../../pages/parts/section.tsx";
import type { EvaluateOptions } from "../config.ts";

function fieldsOf(lab: CoreLab, query: URLSearchParams): Field[] {
  const users = lab.users.list().map(({ name }) => name);
  const clients = lab.clients.list().map(({ id }) => id);
  // A registered client is not in the list, but a link may name it.
  const asked = query.getAll("client").filter(Boolean);
  return [
    {
      name: "user",
      label: "User",
      choices: [["", "none: the client for itself"], ...users.map((name) => [name, name] as const)],
    },
    {
      name: "client",
      label: "Client",
      choices: [...new Set([...clients, ...asked])].map((id) => [id, id]),
    },
    {
      name: "grant",
      label: "Grant",
      choices: [
        ["", "the usual one"],
        ["authorization_code", "Authorization code"],
        ["refresh_token", "First refresh"],
        ["client_credentials", "Client credentials"],
        [deviceCodeGrantType, "Device code"],
      ],
    },
    {
      name: "scope",
      label: "Scope",
      kind: "boxes",
      options: [...new Set([...lab.context.settings.scopes.keys(), ...scopesIn(query)])],
      help: "Without a scope, the request has the default scope of the client.",
    },
    { name: "more-evaluate", label: "More parameters", fields: moreFields },
  ];
}

const moreFields: readonly Field[] = [
  { name: "resource", label: "resource", kind: "words" },
  { name: "acr_values", member: "acrValues", label: "acr_values" },
  { name: "prompt", label: "prompt", options: ["consent", "login"] },
  { name: "claims", label: "claims", kind: "json", hint: '{ "userinfo": { "email": null } }' },
];

function scopesIn(query: URLSearchParams): string[] {
  return query.getAll("scope").flatMap((each) => each.split(" ")).filter(Boolean);
}

/** Reads what a query asks. */
export function readQuestion(lab: CoreLab, query: URLSearchParams): EvaluateOptions {
  const options = readFields(fieldsOf(lab, query), query);
  return { ...options, scope: scopesIn(query).join(" ") || undefined };
}

/** The question. It is sent by GET, so that its address can be shared. */
export function evaluateForm(
  lab: CoreLab,
  { base, query }: LabPageCall,
  invalid: string | undefined,
): VNode {
  const values = new URLSearchParams(query);
  values.delete("scope");
  for (const scope of scopesIn(query)) values.append("scope", scope);
  // A page without a question begins with the first user.
  if (!query.has("user")) values.set("user", lab.users.list()[0]?.name ?? "");
  return (
    <Section title="Who asks for what">
      <form method="get" action={`${base}/lab/evaluate`} id="evaluate">
        <FormFields fields={fieldsOf(lab, query)} values={values} invalid={invalid} />
        <button type="submit">Evaluate</button>
      </form>
    </Section>
  );
}
