import { lazily } from "../../../server/util/values/memoize.ts";
import type { LabFeature } from "../../feature.ts";
import type { LabConfig } from "../../lab_server/lab_config.ts";
import { type RequestLayers, unless } from "../../layers/layer.ts";
import {
  clientModesOf,
  createRequestedTypes,
  createResponseTypesLayer,
  type RequestedTypes,
} from "./response_types.ts";

/** Authorization responses with an ID token, for suites of older libraries. */
export const responseTypes: LabFeature = {
  name: "response_types",
  checkSettings({ responseTypes = [] }, report) {
    if (!responseTypes.includes("fragment")) return;
    if (responseTypes.some((type) => type.includes("id_token"))) return;
    report("responseTypes", "contains 'fragment', which needs 'id_token' or 'code id_token'");
  },
  leniency: {
    clientDefaults({ responseTypes }) {
      // A value that is not a list is reported later, with every other problem.
      const responseModes = Array.isArray(responseTypes) ? clientModesOf(responseTypes) : undefined;
      return responseModes && { responseModes };
    },
    names: (config) => typesBesideCode(config).map((type) => `responseTypes: ${type}`),
    checkProfile(config, profile, report) {
      for (const type of typesBesideCode(config)) {
        report("responseTypes", `contains '${type}', which the profile ${profile} forbids`);
      }
    },
  },
  open: ({ parts }) => ({
    tools: {},
    internals: {},
    layers: createLayers(() => parts().config(), createRequestedTypes()),
  }),
};

/** A lab has the same response types for as long as it is open. */
function createLayers(config: () => LabConfig, requested: RequestedTypes): RequestLayers {
  const isIdle = () => typesBesideCode(config()).length === 0;
  const layer = lazily(() => createResponseTypesLayer(config(), requested));
  return { permit: unless(isIdle, (exchange, next) => layer()(exchange, next)) };
}

function typesBesideCode({ responseTypes = [] }: LabConfig) {
  return responseTypes.filter((type) => type !== "code");
}
