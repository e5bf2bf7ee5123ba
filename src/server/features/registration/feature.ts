import { pathBelow } from "../../config/endpoint_paths.ts";
import type { Settings } from "../../config/settings.ts";
import { apiRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import { registrationLifetimes, registrationPaths, registrationServer } from "./config.ts";
import { offerToRegistered } from "./registration_offers.ts";
import { checkRegistration, policyOf } from "./registration_policy.ts";

const endpoints = lazyModule(() => import("./endpoints.ts"));

/** Clients register themselves, and manage that (RFC 7591, RFC 7592). */
export const registration: Feature = {
  name: "registration",
  config: {
    server: { ...registrationServer, check: checkRegistration },
    paths: registrationPaths,
    lifetimes: registrationLifetimes,
  },
  routes({ paths }) {
    const { register } = registrationPaths.of(paths);
    const ofClient = pathBelow(register, ":id");
    const options = { enabled: isEnabled };
    const metadata = "registration_endpoint";
    return [
      apiRoute("POST", register, endpoints.register, { metadata, ...options }),
      apiRoute("GET", ofClient, endpoints.showRegistration, options),
      apiRoute("PUT", ofClient, endpoints.changeRegistration, options),
      apiRoute("DELETE", ofClient, endpoints.endRegistration, options),
    ];
  },
  secrets: ["registration_access_token"],
  registeredClients: {
    offerTo: (ctx, { registration }) => offerToRegistered(ctx, registration?.initialAccess),
    noteUse: endpoints.extendRegistration,
  },
};

function isEnabled(settings: Settings): boolean {
  const { open, initialAccessToken } = policyOf(settings);
  return open || initialAccessToken !== undefined;
}
