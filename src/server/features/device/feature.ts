import type { Settings } from "../../config/settings.ts";
import { lazyEndpoints } from "../../endpoints/lazy_endpoints.ts";
import { apiRoute, pageRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import type { Grant } from "../../grants/grant.ts";
import { deviceCodeGrantType } from "../../protocol/grant_types.ts";
import { once } from "../../util/time/promises.ts";
import { deviceLifetimes, devicePages, devicePaths } from "./config.ts";
import { isDeviceRequest } from "./device_request.ts";
import { deviceParts } from "./parts.ts";
import { hideUserCodes } from "./user_code.ts";

const load = once(() => import("./device_flow.ts"));
const endpoint = lazyEndpoints(() => import("./endpoints.ts"));

const grant: Grant = {
  type: deviceCodeGrantType,
  redeem: async (ctx, request) => await (await load()).deviceCodeGrant.redeem(ctx, request),
};

/** Devices without a browser or a keyboard: the user enters a code elsewhere (RFC 8628). */
export const deviceFlow: Feature = {
  name: "device flow",
  config: { paths: devicePaths, lifetimes: deviceLifetimes, pages: devicePages },
  grants: [grant],
  routes(settings) {
    const paths = devicePaths.of(settings.paths);
    const options = { enabled: hasDeviceGrant };
    return [
      apiRoute("POST", paths.deviceAuthorization, endpoint("deviceAuthorization"), {
        metadata: "device_authorization_endpoint",
        ...options,
      }),
      pageRoute("GET", paths.device, endpoint("showUserCodeForm"), options),
      pageRoute("POST", paths.device, endpoint("handleUserCode"), options),
    ];
  },
  completionOf: (pending) =>
    isDeviceRequest(pending)
      ? {
        grantType: deviceCodeGrantType,
        concerns: { device: pending.device.id },
        caution: async (language) => await (await load()).deviceCaution(language),
        allow: async (ctx, allowed) =>
          await (await load()).allowDevice(ctx, { ...allowed, pending }),
        deny: async (ctx, client) => await (await load()).denyDevice(ctx, pending, client),
        respond: async (ctx, client, isAllowed) =>
          await (await load()).deviceDoneResponse(ctx, client, isAllowed),
      }
      : undefined,
  presented: [
    {
      parameter: "device_code",
      credential: "device code",
      lookUp: async (ctx, code) => await (await load()).findDeviceCode(ctx, code),
      findRow: (ctx, code) => deviceParts(ctx).deviceCodes.getStored(code),
    },
    {
      parameter: "user_code",
      lookUp: async (ctx, code) => await (await load()).findDeviceClient(ctx, code),
      findClient: async (ctx, code) => await (await load()).findDeviceClient(ctx, code),
      hideIn: hideUserCodes,
    },
  ],
};

function hasDeviceGrant({ grantTypes }: Settings): boolean {
  return grantTypes.includes(deviceCodeGrantType);
}
