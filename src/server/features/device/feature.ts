import type { Settings } from "../../config/settings.ts";
import { apiRoute, type Endpoint, pageRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import type { Grant } from "../../grants/grant.ts";
import { deviceCodeGrantType } from "../../protocol/grant_types.ts";
import { once } from "../../util/time/promises.ts";
import { deviceLifetimes, devicePages, devicePaths } from "./config.ts";
import { deviceParts, isDeviceRequest } from "./parts.ts";
import { hideUserCodes } from "./user_code.ts";

const loadDevices = once(() => import("./devices.ts"));
const loadEndpoint = once(() => import("./device_authorization.ts"));
const loadGrant = once(() => import("./device_code_grant.ts"));
const loadPage = once(() => import("./user_code_page.ts"));

const grant: Grant = {
  type: deviceCodeGrantType,
  redeem: async (ctx, request) => await (await loadGrant()).deviceCodeGrant.redeem(ctx, request),
};

const deviceAuthorization: Endpoint = async (ctx) =>
  await (await loadEndpoint()).deviceAuthorization(ctx);
const showForm: Endpoint = async (ctx) => await (await loadPage()).showUserCodeForm(ctx);
const handleForm: Endpoint = async (ctx) => await (await loadPage()).handleUserCode(ctx);

/** Devices without a browser or a keyboard: the user enters a code elsewhere (RFC 8628). */
export const deviceFlow: Feature = {
  name: "device flow",
  config: { paths: devicePaths, lifetimes: deviceLifetimes, pages: devicePages },
  grants: [grant],
  routes(settings) {
    const paths = devicePaths.of(settings.paths);
    const options = { enabled: hasDeviceGrant };
    return [
      apiRoute("POST", paths.deviceAuthorization, deviceAuthorization, {
        metadata: "device_authorization_endpoint",
        ...options,
      }),
      pageRoute("GET", paths.device, showForm, options),
      pageRoute("POST", paths.device, handleForm, options),
    ];
  },
  completionOf: (pending) =>
    isDeviceRequest(pending)
      ? {
        grantType: deviceCodeGrantType,
        concerns: { device: pending.device.id },
        caution: async (language) => await (await loadPage()).deviceCaution(language),
        allow: async (ctx, allowed) =>
          await (await loadDevices()).allowDevice(ctx, { ...allowed, pending }),
        deny: async (ctx, client) => await (await loadDevices()).denyDevice(ctx, pending, client),
        respond: async (ctx, client, isAllowed) =>
          await (await loadPage()).deviceDoneResponse(ctx, client, isAllowed),
      }
      : undefined,
  presented: [
    {
      parameter: "device_code",
      credential: "device code",
      lookUp: async (ctx, code) => await (await loadDevices()).findDeviceCode(ctx, code),
      findRow: (ctx, code) => deviceParts(ctx).deviceCodes.getStored(code),
    },
    {
      parameter: "user_code",
      lookUp: async (ctx, code) => await (await loadDevices()).findDeviceClient(ctx, code),
      findClient: async (ctx, code) => await (await loadDevices()).findDeviceClient(ctx, code),
      hideIn: hideUserCodes,
    },
  ],
};

function hasDeviceGrant({ grantTypes }: Settings): boolean {
  return grantTypes.includes(deviceCodeGrantType);
}
