import { pathBelow } from "../../config/endpoint_paths.ts";
import type { Settings } from "../../config/settings.ts";
import { apiRoute, lazyEndpoints } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { once } from "../../util/time/promises.ts";
import { registrationLifetimes, registrationPaths, registrationServer } from "./config.ts";
import { offerToRegistered } from "./registration_offers.ts";
import { checkRegistration, policyOf } from "./registration_policy.ts";

const load = once(() => import("./endpoints.ts"));
const endpoint = lazyEndpoints(async () => {
  const { extendRegistration: _, ...endpoints } = await load();
  return endpoints;
});

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
    noteUse: async (ctx, client) => await (await load()).extendRegistration(ctx, client),
  },
};

function isEnabled(settings: Settings): boolean {
  const { open, initialAccessToken } = policyOf(settings);
  return open || initialAccessToken !== undefined;
}
