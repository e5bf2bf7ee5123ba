import { settingsPart } from "../../config/feature_config.ts";
import type { AddedClientSettings } from "../../config/settings.ts";
import { webUriProblem } from "../../protocol/redirect_uri.ts";
import settings from "./settings.json" with { type: "json" };

/** What a browser loads to sign its user out of an application. */
export interface FrontchannelLogoutClientConfig {
  /**
   * Loaded in the browser when the user signs out (Front-Channel Logout).
   *
   * @format url
   */
  frontchannelLogoutUri?: string;
}

const clientPart = settingsPart<FrontchannelLogoutClientConfig>(
  settings.FrontchannelLogoutClientConfig,
);

export const frontchannelClients: AddedClientSettings = {
  ...clientPart,
  fetched: ["frontchannelLogoutUri"],
  check(config, { httpRedirectUris }, report) {
    const uri = frontchannelLogoutUriOf(config);
    if (!uri) return;
    const problem = frontchannelLogoutUriProblem(uri, config.redirectUris ?? [], httpRedirectUris);
    if (problem) report("frontchannelLogoutUri", problem);
  },
};

/** Returns what a browser loads to sign its user out of a client, if there is such a page. */
export function frontchannelLogoutUriOf(client: object): string | undefined {
  return clientPart.of(client).frontchannelLogoutUri;
}

/**
 * Returns why a front-channel logout URI is invalid, or undefined. It must have the origin of a
 * redirect URI (OpenID Connect Front-Channel Logout, section 2).
 */
export function frontchannelLogoutUriProblem(
  uri: string,
  redirectUris: readonly string[],
  allowHttp = false,
): string | undefined {
  const problem = webUriProblem(uri, allowHttp);
  if (problem) return problem;
  const validUris = redirectUris.filter((each) => URL.canParse(each));
  const { origin } = new URL(uri);
  if (validUris.some((each) => new URL(each).origin === origin)) return undefined;
  return "does not have the origin of a redirect URI of the client";
}
