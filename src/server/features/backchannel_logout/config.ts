import { settingsPart } from "../../config/feature_config.ts";
import type { AddedClientSettings } from "../../config/settings.ts";
import { webUriProblem } from "../../protocol/redirect_uri.ts";
import settings from "./settings.json" with { type: "json" };

/** Where a client learns that a session ended. */
export interface BackchannelLogoutClientConfig {
  /**
   * Receives logout tokens (Back-Channel Logout).
   *
   * @format url
   */
  backchannelLogoutUri?: string;
}

const clientPart = settingsPart<BackchannelLogoutClientConfig>(
  settings.BackchannelLogoutClientConfig,
);

export const backchannelClients: AddedClientSettings = {
  ...clientPart,
  fetched: ["backchannelLogoutUri"],
  check(config, { httpRedirectUris }, report) {
    const uri = backchannelLogoutUriOf(config);
    const problem = uri ? webUriProblem(uri, httpRedirectUris) : undefined;
    if (problem) report("backchannelLogoutUri", problem);
  },
};

/** Returns where a client receives logout tokens, if it does. */
export function backchannelLogoutUriOf(client: object): string | undefined {
  return clientPart.of(client).backchannelLogoutUri;
}
