import type { LabFeature } from "../../feature.ts";
import type { CoreLabConfig } from "../../lab_server/core_lab_config.ts";
import { type RequestLayers, unless } from "../../layers/layer.ts";
import { switchable } from "../../leniencies/leniency.ts";
import { type ClientAdmission, createClientAdmission } from "./admission.ts";
import type { AnyClientSetting } from "./config.ts";

const known = switchable("anyClient");

/** Unknown clients, which requests make known. */
export const anyClient: LabFeature = {
  name: "any_client",
  leniency: {
    names: (config: CoreLabConfig & AnyClientSetting) => [
      ...known.names(config),
      ...omitsPkce(config) ? [`unknownClientPkce: ${config.unknownClientPkce}`] : [],
    ],
    checkProfile(config: CoreLabConfig & AnyClientSetting, profile, report) {
      known.checkProfile?.(config, profile, report);
      if (!omitsPkce(config)) return;
      const { unknownClientPkce } = config;
      report(
        "unknownClientPkce",
        `cannot be ${unknownClientPkce}: the profile ${profile} requires PKCE`,
      );
    },
  },
  open({ parts }) {
    const admission = createClientAdmission(parts);
    return {
      layers: createLayers(admission, () => parts().config<AnyClientSetting>()),
      state: admission,
    };
  },
};

function omitsPkce({ unknownClientPkce = "required" }: AnyClientSetting): boolean {
  return unknownClientPkce !== "required";
}

function createLayers(admission: ClientAdmission, config: () => AnyClientSetting): RequestLayers {
  return {
    admit: unless(() => !config().anyClient, async (exchange, next) => {
      const { server: { context }, serverRequest, request } = exchange;
      exchange.serverRequest = await admission.admitRequest(context, serverRequest, request);
      return await next();
    }),
    async admitNamed(context, client, redirectUri) {
      if (config().anyClient) await admission.admitNamed(context, client, redirectUri);
    },
  };
}
