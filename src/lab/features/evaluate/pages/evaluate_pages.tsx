/** @jsxImportSource preact */
import type { VNode } from "preact";
import { deviceCodeGrantType } from "../../../../server/protocol/grant_types.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../../../pages/page/lab_page.ts";
import type { Field } from "../../../pages/parts/fields.tsx";
import { FormFields, FormProblem } from "../../../pages/parts/form.tsx";
import { readFields } from "../../../pages/parts/form_values.ts";
import { PageHead, Section } from "../../../pages/parts/section.tsx";
import { LabError } from "../../../util/lab_error.ts";
import type { EvaluateOptions } from "../config.ts";
import type { Evaluation } from "../evaluation.ts";
import type { EvaluateTools } from "../feature.ts";
import { evaluationView } from "./evaluation_view.tsx";

const moreFields: readonly Field[] = [
  { name: "resource", label: "resource", kind: "words" },
  { name: "acr_values", member: "acrValues", label: "acr_values" },
  { name: "prompt", label: "prompt", options: ["consent", "login"] },
  { name: "claims", label: "claims", kind: "json", hint: '{ "userinfo": { "email": null } }' },
];

/** The page that shows what a client would get. Its address has the whole question. */
export const evaluatePages: ReadonlyArray<LabPageRoute<EvaluateTools>> = [
  { method: "GET", path: "/evaluate", handle: evaluatePage },
];

async function evaluatePage(lab: CoreLab & EvaluateTools, call: LabPageCall): Promise<LabPage> {
  const { options, evaluation, problem } = await evaluateQuery(lab, call.query);
  return {
    title: "Evaluate",
    area: "tokens",
    style: "flows.css",
    isLive: true,
    ...problem && { status: 422 },
    content: (
      <>
        <PageHead title="Evaluate">
          See the tokens and the userinfo that a client would get for a user, or the refusal.
          Nothing is stored or recorded. Policies and hooks run; faults do not.
        </PageHead>
        <FormProblem problem={problem?.message} invalid={problem?.field} />
        {evaluateForm(lab, call, problem?.field)}
        {evaluation && evaluationView(call.base, evaluation, options)}
      </>
    ),
  };
}

interface EvaluatedQuery {
  options: EvaluateOptions;
  evaluation?: Evaluation;
  problem?: LabError;
}

async function evaluateQuery(
  lab: CoreLab & EvaluateTools,
  query: URLSearchParams,
): Promise<EvaluatedQuery> {
  // A link from a user or a client only fills in the form.
  if (!query.has("client") || !query.has("user")) return { options: {} };
  try {
    const options = readQuestion(lab, query);
    return { options, evaluation: await lab.evaluate(options) };
  } catch (cause) {
    if (!(cause instanceof LabError)) throw cause;
    return { options: {}, problem: cause };
  }
}

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

function scopesIn(query: URLSearchParams): string[] {
  return query.getAll("scope").flatMap((each) => each.split(" ")).filter(Boolean);
}

/** Reads what a query asks. */
function readQuestion(lab: CoreLab, query: URLSearchParams): EvaluateOptions {
  const options = readFields(fieldsOf(lab, query), query);
  return { ...options, scope: scopesIn(query).join(" ") || undefined };
}

/** The question. It is sent by GET, so that its address can be shared. */
function evaluateForm(
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
