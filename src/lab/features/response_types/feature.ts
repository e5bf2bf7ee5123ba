import { once } from "../../../server/util/time/promises.ts";
import type { LabFeature } from "../../feature.ts";
import type { SettingsUnderCheck } from "../../lab_server/check_lab_settings.ts";
import { type RequestLayers, unless } from "../../layers/layer.ts";
import { clientModesOf, type ResponseTypesConfig } from "./config.ts";

/** Authorization responses with an ID token, for suites of older libraries. */
export const responseTypes: LabFeature = {
  name: "response_types",
  checkSettings({ responseTypes = [] }: SettingsUnderCheck & ResponseTypesConfig, report) {
    if (!responseTypes.includes("fragment")) return;
    if (responseTypes.some((type) => type.includes("id_token"))) return;
    report("responseTypes", "contains 'fragment', which needs 'id_token' or 'code id_token'");
  },
  leniency: {
    clientDefaults({ responseTypes }: ResponseTypesConfig) {
      // A value that is not a list is reported later, with every other problem.
      const responseModes = Array.isArray(responseTypes)
        ? clientModesOf({ responseTypes })
        : undefined;
      return responseModes && { responseModes };
    },
    names: (config: ResponseTypesConfig) =>
      typesBesideCode(config).map((type) => `responseTypes: ${type}`),
    checkProfile(config: ResponseTypesConfig, profile, report) {
      for (const type of typesBesideCode(config)) {
        report("responseTypes", `contains '${type}', which the profile ${profile} forbids`);
      }
    },
  },
  open: ({ parts }) => ({
    layers: createLayers(() => parts().config<ResponseTypesConfig>()),
  }),
};

/** A lab has the same response types for as long as it is open. */
function createLayers(config: () => ResponseTypesConfig): RequestLayers {
  const isIdle = () => typesBesideCode(config()).length === 0;
  const layer = once(async () => {
    const { createResponseTypesLayer } = await import("./response_types.ts");
    return createResponseTypesLayer(config());
  });
  return { permit: unless(isIdle, async (exchange, next) => (await layer())(exchange, next)) };
}

function typesBesideCode({ responseTypes = [] }: ResponseTypesConfig) {
  return responseTypes.filter((type) => type !== "code");
}
