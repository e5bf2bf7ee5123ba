import type { Settings } from "../../config/settings.ts";
import { apiRoute, pageRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { deviceCodeGrantType } from "../../protocol/grant_types.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import { deviceLifetimes, devicePages, devicePaths } from "./config.ts";
import { deviceParts, isDeviceRequest } from "./parts.ts";
import { hideUserCodes } from "./user_code.ts";

const { deviceAuthorization } = lazyModule(() => import("./device_authorization.ts"));
const { redeemDeviceCode, findDeviceCode } = lazyModule(() => import("./device_code_grant.ts"));
const decisions = lazyModule(() => import("./device_decisions.ts"));
const page = lazyModule(() => import("./user_code_page.ts"));

/** Devices without a browser or a keyboard: the user enters a code elsewhere (RFC 8628). */
export const deviceFlow: Feature = {
  name: "device flow",
  config: { paths: devicePaths, lifetimes: deviceLifetimes, pages: devicePages },
  grants: [{ type: deviceCodeGrantType, redeem: redeemDeviceCode }],
  routes(settings) {
    const paths = devicePaths.of(settings.paths);
    const options = { enabled: hasDeviceGrant };
    return [
      apiRoute("POST", paths.deviceAuthorization, deviceAuthorization, {
        metadata: "device_authorization_endpoint",
        ...options,
      }),
      pageRoute("GET", paths.device, page.showUserCodeForm, options),
      pageRoute("POST", paths.device, page.handleUserCode, options),
    ];
  },
  completionOf: (pending) =>
    isDeviceRequest(pending)
      ? {
        grantType: deviceCodeGrantType,
        concerns: { device: pending.device.id },
        caution: page.deviceCaution,
        allow: (ctx, allowed) => decisions.allowDevice(ctx, { ...allowed, pending }),
        deny: (ctx, client) => decisions.denyDevice(ctx, pending, client),
        respond: page.deviceDoneResponse,
      }
      : undefined,
  presented: [
    {
      parameter: "device_code",
      credential: "device code",
      lookUp: findDeviceCode,
      findRow: (ctx, code) => deviceParts(ctx).credentials.getStored(code),
    },
    {
      parameter: "user_code",
      lookUp: decisions.findDeviceClient,
      findClient: decisions.findDeviceClient,
      hideIn: hideUserCodes,
    },
  ],
};

function hasDeviceGrant({ grantTypes }: Settings): boolean {
  return grantTypes.includes(deviceCodeGrantType);
}
