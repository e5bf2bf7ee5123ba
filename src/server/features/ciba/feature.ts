import type { Settings } from "../../config/settings.ts";
import { apiRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { clientAlgorithms } from "../../model/signing.ts";
import { cibaGrantType } from "../../protocol/grant_types.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import { second } from "../../util/time/duration.ts";
import { accountManagement } from "../account/feature.ts";
import { deliveries } from "../deliveries/feature.ts";
import { deviceFlow } from "../device/feature.ts";
import { cibaClients, cibaLifetimes, cibaPages, cibaPaths, cibaServer } from "./config.ts";
import { cibaParts, isBackchannelRequest } from "./parts.ts";

const { backchannelAuthentication } = lazyModule(() => import("./backchannel_authentication.ts"));
const { redeemAuthReqId, findAuthReqId } = lazyModule(() => import("./ciba_grant.ts"));
const decisions = lazyModule(() => import("./ciba_decisions.ts"));
const page = lazyModule(() => import("./ciba_page.ts"));
const { deliverPings } = lazyModule(() => import("./pings.ts"));

/**
 * Clients without a browser of the user ask the server to ask the user (OpenID Connect
 * Client-Initiated Backchannel Authentication).
 */
export const ciba: Feature = {
  name: "backchannel authentication",
  // As in the device flow, a client polls until a user has decided; the account page asks the user.
  needs: [deviceFlow, accountManagement, deliveries],
  config: {
    server: cibaServer,
    clients: cibaClients,
    paths: cibaPaths,
    lifetimes: cibaLifetimes,
    pages: cibaPages,
  },
  grants: [{ type: cibaGrantType, redeem: redeemAuthReqId }],
  routes: (settings) => [
    apiRoute(
      "POST",
      cibaPaths.of(settings.paths).backchannelAuthentication,
      backchannelAuthentication,
      { metadata: "backchannel_authentication_endpoint", enabled: hasCiba },
    ),
  ],
  // Push is missing: tokens leave the server at its token endpoint only.
  metadata: (settings) =>
    hasCiba(settings)
      ? {
        backchannel_token_delivery_modes_supported: ["poll", "ping"],
        backchannel_authentication_request_signing_alg_values_supported: clientAlgorithms(
          settings.profile.algs,
        ),
        backchannel_user_code_parameter_supported: cibaServer.of(settings).userCodes !== undefined,
      }
      : {},
  completionOf: (pending) =>
    isBackchannelRequest(pending)
      ? {
        grantType: cibaGrantType,
        concerns: { backchannelRequest: pending.backchannel.id },
        caution: (language) => page.backchannelCaution(language, pending),
        allow: (ctx, allowed) => decisions.allowBackchannel(ctx, { ...allowed, pending }),
        deny: (ctx, client) => decisions.denyBackchannel(ctx, pending, client),
        respond: page.backchannelDoneResponse,
      }
      : undefined,
  waitingFor: decisions.listWaiting,
  presented: [
    {
      parameter: "auth_req_id",
      credential: "auth_req_id",
      lookUp: findAuthReqId,
      findRow: (ctx, id) => cibaParts(ctx).credentials.getStored(id),
    },
  ],
  secrets: ["client_notification_token"],
  parameters: ["binding_message", "login_hint_token", "requested_expiry"],
  tasks: [
    {
      name: "ping",
      interval: 10 * second * 1000,
      enabled: ({ settings }) => hasCiba(settings),
      run: deliverPings,
    },
  ],
};

/** It is a part of OpenID Connect. */
function hasCiba({ grantTypes, scopes }: Settings): boolean {
  return grantTypes.includes(cibaGrantType) && scopes.has("openid");
}
