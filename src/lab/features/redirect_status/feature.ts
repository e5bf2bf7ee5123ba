import type { LabFeature } from "../../feature.ts";
import type { CoreLabConfig } from "../../lab_server/core_lab_config.ts";
import { type RequestLayers, unless } from "../../layers/layer.ts";
import { headerOf, type WireResponse } from "../../recording/exchange.ts";
import { callbackIn } from "../../recording/wire_callback.ts";
import type { RedirectStatusSetting } from "./config.ts";

/** The status of the server's redirects (RFC 9700, section 4.12). */
const serverStatus = 303;

/** Authorization responses with the status 302, which older suites expect. */
export const redirectStatus: LabFeature = {
  name: "redirect_status",
  leniency: {
    names: (config: CoreLabConfig & RedirectStatusSetting) =>
      config.redirectStatus === 302 ? ["redirectStatus: 302"] : [],
    checkProfile(config: CoreLabConfig & RedirectStatusSetting, profile, report) {
      if (config.redirectStatus !== 302) return;
      report("redirectStatus", `cannot be 302: the profile ${profile} requires 303`);
    },
  },
  open: ({ parts }) => ({
    layers: createLayers(() => parts().config<RedirectStatusSetting>()),
  }),
};

function createLayers(config: () => RedirectStatusSetting): RequestLayers {
  const status = () => config().redirectStatus ?? serverStatus;
  return {
    permit: unless(() => status() === serverStatus, async ({ server: { issuer } }, next) => {
      return withRedirectStatus(await next(), issuer, status());
    }),
  };
}

/** Gives a redirect with an authorization response another status. */
function withRedirectStatus(
  response: WireResponse,
  issuer: string,
  status: number,
): WireResponse {
  if (response.status !== serverStatus) return response;
  // A page of the server itself has a path alone.
  const isForClient = URL.canParse(headerOf(response, "Location") ?? "");
  return isForClient && callbackIn(response, issuer) ? { ...response, status } : response;
}
