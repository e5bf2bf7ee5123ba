import type { Routed } from "../http/router.ts";
import type { EndpointField } from "../protocol/metadata.ts";
import type { Context } from "../issuer/context.ts";

/** Answers a request; what stood in the open segment of its path comes along. */
export type Endpoint = (ctx: Context, request: Request, segment: string) => Response | Promise<Response>;

/** A row of the table of routes: all that is said of an endpoint is said there. */
export interface Route extends Routed {
  answer: Endpoint;
  /** The member of the metadata that tells clients of it. */
  metadata?: EndpointField;
  /** Who calls: people get pages, programs get JSON; scripts are programs in a web page of any origin. */
  for: "people" | "programs" | "scripts";
  /** How a refused caller is told to come back (RFC 9110, section 11.6.1). */
  challenge?: "Bearer";
}
