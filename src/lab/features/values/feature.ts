import { ofTenant } from "../../core/core_lab.ts";
import type { LabFeature } from "../../feature.ts";
import { createChooser } from "./choose_values.ts";
import type { ChosenValues, ValueOptions } from "./chosen_values.ts";
import { createValues, type Values } from "./values.ts";

/** What a test can do to choose values. */
export interface ValueTools {
  /**
   * Chooses codes, tokens, client ids and secrets: `lab.values({ code: "abc", accessToken:
   * ["first", "second"], client: "web" })`. The lab uses a text each time, and each entry of a list
   * once. One that exists already gets its new owner.
   *
   * @throws {LabError} There is no such kind of value, or a value is invalid.
   */
  values(options: ValueOptions): ChosenValues;
}

/** What the interface over HTTP needs besides it. */
export interface ValueInternals {
  readonly chosenValues: Values;
}

/** Codes, tokens, ids and secrets that a test chooses. */
export const values: LabFeature<ValueTools, ValueInternals> = {
  name: "values",
  open({ parts, lab }) {
    const chosen = createValues();
    const clientIds = () => parts().server.clients.list().map(({ id }) => id);
    const own: ValueTools = { values: (options) => chosen.add(options, clientIds()) };
    return {
      tools: {
        values: ({ tenant, ...options }) => ofTenant(tenant, own, lab().tenants).values(options),
      },
      internals: { chosenValues: chosen },
      layers: {
        choose: (request) => chosen.isEmpty() ? undefined : createChooser(chosen, request),
      },
      remarks: () => ({ chosenValues: chosen.uses() }),
      state: chosen,
    };
  },
};
