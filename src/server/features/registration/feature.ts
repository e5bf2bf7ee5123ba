import { pathBelow } from "../../config/endpoint_paths.ts";
import type { Settings } from "../../config/settings.ts";
import { apiRoute, lazyEndpoints } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { registrationLifetimes, registrationPaths, registrationServer } from "./config.ts";
import { extendRegistration } from "./registration_access.ts";
import { offerToRegistered } from "./registration_offers.ts";
import { checkRegistration, policyOf } from "./registration_policy.ts";

const endpoint = lazyEndpoints(() => import("./client_registration.ts"));

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
      apiRoute("POST", register, endpoint("register"), { metadata, ...options }),
      apiRoute("GET", ofClient, endpoint("showRegistration"), options),
      apiRoute("PUT", ofClient, endpoint("changeRegistration"), options),
      apiRoute("DELETE", ofClient, endpoint("endRegistration"), options),
    ];
  },
  clientSource: {
    isSourceOf: (client) => client.registration !== undefined,
    offerTo: (ctx, { registration = {} }) => offerToRegistered(ctx, registration),
    // The package loads a module with its first use; naming the function alone would be one.
    noteUse: (ctx, client) => extendRegistration(ctx, client),
  },
};

function isEnabled(settings: Settings): boolean {
  const { open, initialAccessToken } = policyOf(settings);
  return open || initialAccessToken !== undefined;
}
