import { once } from "../util/time/promises.ts";
import type { Endpoint } from "./route.ts";

/** The name of an endpoint for people. */
export type PageEndpoint = keyof typeof import("./page_endpoints.ts");

/*
 * A server for programs alone never calls these endpoints, so their code loads with the first
 * request for one of them.
 */

/** Returns an endpoint for people, by its name. */
export const pageEndpoint: (name: PageEndpoint) => Endpoint = lazyEndpoints(() =>
  import("./page_endpoints.ts")
);

/** Returns the endpoints of a module by their names. It loads with the first request for one. */
export function lazyEndpoints<Module extends Record<keyof Module, Endpoint>>(
  load: () => Promise<Module>,
): (name: keyof Module) => Endpoint {
  const endpoints = once(load);
  return (name) => async (ctx, segment) => await (await endpoints())[name](ctx, segment);
}
