/** @jsxImportSource preact */
import type { CoreLab } from "../../../core/core_lab.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../../../pages/page/lab_page.ts";
import { FormProblem } from "../../../pages/parts/form.tsx";
import { PageHead } from "../../../pages/parts/section.tsx";
import { LabError } from "../../../util/lab_error.ts";
import type { EvaluateOptions } from "../config.ts";
import type { EvaluateTools } from "../evaluate_tools.ts";
import type { Evaluation } from "../evaluation.ts";
import { evaluateForm, readQuestion } from "./evaluate_form.tsx";
import { evaluationView } from "./evaluation_view.tsx";

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
