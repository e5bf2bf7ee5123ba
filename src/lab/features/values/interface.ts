import { operation } from "../../core/operation.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import type { ValueOptions } from "./chosen_values.ts";
import type { ValueInternals, ValueTools } from "./feature.ts";

export const valueInterface: FeatureInterface<ValueTools & ValueInternals> = {
  operations: [
    operation("POST /values", {
      name: "choose-values",
      summary: "Chooses codes, tokens, client ids and secrets, in place of random ones.",
      body: { name: "ValueOptions" },
      example: { body: { code: "abc", accessToken: ["first-token", "second-token"] } },
      returns: "ChosenValuesState",
      run: (lab, { body }) => lab.values(body as ValueOptions),
    }),
    operation("GET /values", {
      name: "list-values",
      summary: "Lists what was chosen, without the values, and how often it was used.",
      kind: "list",
      returns: "ChosenValuesState[]",
      run: (lab) => lab.chosenValues.list(),
    }),
    operation("DELETE /values", {
      name: "clear-values",
      summary: "Ends all choices: new values are random.",
      run: (lab) => lab.chosenValues.removeAll(),
    }),
  ],
};
