import { once } from "../util/time/promises.ts";
import type { Endpoint } from "./route.ts";

/*
 * A server for programs alone never calls these endpoints, so their code loads with the first
 * request for one of them.
 */
const pages = once(() => import("./page_endpoints.ts"));
const clients = once(() => import("./client_endpoints.ts"));

/** The name of an endpoint for people. */
export type PageEndpoint = keyof typeof import("./page_endpoints.ts");

/** The name of an endpoint that few clients use. */
export type ClientEndpoint = keyof typeof import("./client_endpoints.ts");

/** Returns an endpoint for people, by its name. */
export function pageEndpoint(name: PageEndpoint): Endpoint {
  return async (ctx, segment) => await (await pages())[name](ctx, segment);
}

/** Returns an endpoint that few clients use, by its name. */
export function clientEndpoint(name: ClientEndpoint): Endpoint {
  return async (ctx, segment) => await (await clients())[name](ctx, segment);
}
