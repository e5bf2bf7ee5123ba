/** @jsxImportSource preact */
import type { EvaluateOptions, EvaluateTools, Evaluation } from "../../control/evaluation.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { LabError } from "../../util/lab_error.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { FormProblem } from "../parts/form_problem.tsx";
import { objectField, textField, withoutUndefined, wordsField } from "../parts/read_form.ts";
import { PageHead } from "../parts/section.tsx";
import { EvaluateForm } from "./evaluate_form.tsx";
import { EvaluationView } from "./evaluation_view.tsx";

/** The page that shows what a client would get. Its address has the whole question. */
export const evaluatePages: ReadonlyArray<LabPageRoute<EvaluateTools>> = [
  { method: "GET", path: "/evaluate", handle: evaluatePage },
];

async function evaluatePage(lab: CoreLab & EvaluateTools, call: LabPageCall): Promise<LabPage> {
  const { options, evaluation, problem } = await evaluateQuery(lab, call.query);
  return {
    title: "Evaluate",
    area: "evaluate",
    isLive: true,
    ...problem && { status: 422 },
    content: (
      <>
        <PageHead title="Evaluate">
          See the tokens and the userinfo that a client would get for a user, or the refusal.
          Nothing is stored or recorded. Policies and hooks run; faults do not.
        </PageHead>
        <FormProblem problem={problem?.message} invalid={problem?.field} />
        <EvaluateForm
          action={`${call.base}/lab/evaluate`}
          users={lab.users.list().map(({ name }) => name)}
          clients={lab.clients.list().map(({ id }) => id)}
          scopes={[...lab.context.settings.scopes.keys()]}
          query={call.query}
          invalid={problem?.field}
        />
        {evaluation && (
          <EvaluationView
            base={call.base}
            evaluation={evaluation}
            options={options}
          />
        )}
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
    const options = readOptions(query);
    return { options, evaluation: await lab.evaluate(options) };
  } catch (cause) {
    if (!(cause instanceof LabError)) throw cause;
    return { options: {}, problem: cause };
  }
}

function readOptions(query: URLSearchParams): EvaluateOptions {
  const scope = query.getAll("scope").flatMap((each) => each.split(" ")).filter(Boolean);
  const options = {
    user: textField(query, "user"),
    client: textField(query, "client"),
    scope: scope.length > 0 ? scope.join(" ") : undefined,
    grant: textField(query, "grant"),
    resource: wordsField(query, "resource"),
    claims: objectField(query, "claims", "claims"),
    acrValues: textField(query, "acr_values"),
    prompt: textField(query, "prompt"),
  };
  return withoutUndefined(options) as EvaluateOptions;
}
