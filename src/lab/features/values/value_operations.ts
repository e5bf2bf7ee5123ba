import type { Operation } from "../../core/operation.ts";
import type { ValueOptions } from "./chosen_values.ts";
import type { ValueInternals, ValueTools } from "./value_tools.ts";

export const valueOperations: ReadonlyArray<Operation<ValueTools & ValueInternals>> = [
  {
    method: "POST",
    path: "/values",
    summary: "Chooses codes, tokens, client ids and secrets, in place of random ones.",
    body: { name: "ValueOptions" },
    example: { body: { code: "abc", accessToken: ["first-token", "second-token"] } },
    returns: "ChosenValuesState",
    run: (lab, { body }) => lab.values(body as ValueOptions),
  },
  {
    method: "GET",
    path: "/values",
    summary: "Lists what was chosen, without the values, and how often it was used.",
    returns: "ChosenValuesState[]",
    run: (lab) => lab.chosenValues.list(),
  },
  {
    method: "DELETE",
    path: "/values",
    summary: "Ends all choices: what is issued from now on has random values.",
    run: (lab) => lab.chosenValues.removeAll(),
  },
];
