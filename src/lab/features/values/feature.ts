import { ofTenant } from "../../core/tenant_config.ts";
import type { LabFeature } from "../../feature.ts";
import { createChooser } from "./choose_values.ts";
import type { ValueInternals, ValueTools } from "./value_tools.ts";
import { createValues } from "./values.ts";

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
