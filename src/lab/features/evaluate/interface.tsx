/** @jsxImportSource preact */
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { evaluateSchemas } from "./config.ts";
import type { EvaluateTools } from "./feature.ts";
import { evaluatePages } from "./pages/evaluate_pages.tsx";

/** The operation and the page that show what a client would get. */
export const evaluateInterface: FeatureInterface<EvaluateTools> = {
  operations: [
    {
      method: "POST",
      path: "/evaluate",
      summary:
        "Returns the tokens and the userinfo response that a client would get, or the refusal; " +
        "stores nothing.",
      body: { name: "EvaluateOptions", schema: evaluateSchemas.EvaluateOptions },
      returns: "Evaluation",
      example: { body: { user: "alice", client: "demo-spa", scope: "openid email" } },
      run: (lab, { body }) => lab.evaluate(body),
    },
  ],
  groups: [{ name: "evaluate", title: "Evaluation", before: "authorize" }],
  pages: evaluatePages,
  additions: {
    "actions on tokens": (base) => (
      <a class="button secondary small" href={`${base}/lab/evaluate`}>Evaluate</a>
    ),
    client: (base, client) => <a href={pathOf(base, { client })}>What this client would get</a>,
    user: (base, user) => <a href={pathOf(base, { user })}>What clients would get for this user</a>,
  },
};

function pathOf(base: string, options: Record<string, string>): string {
  return `${base}/lab/evaluate?${new URLSearchParams(options)}`;
}
