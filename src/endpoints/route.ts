import type { Settings } from "../config/settings.ts";
import type { RoutePattern } from "../http/router.ts";
import type { Context } from "../issuer/context.ts";
import type { EndpointField } from "../model/server_metadata.ts";

/** Answers a request; what stood in the open segment of its path comes along. */
export type Endpoint = (
  ctx: Context,
  request: Request,
  segment: string,
) => Response | Promise<Response>;

/** Who calls: people get pages, programs get JSON; scripts are programs in a web page of any origin. */
export type RouteKind = "people" | "programs" | "scripts";

/** A line of the table of routes: all that there is to say of an endpoint. */
export interface Route extends RoutePattern {
  answer: Endpoint;
  for: RouteKind;
  /** The member of the metadata that tells clients of it. */
  metadata?: EndpointField;
  /** Whether it is there at all; always, where nothing is said. */
  when?: (settings: Settings) => boolean;
  /** Whether scripts of a public client's own origin may send credentials, none of which it reads. */
  credentials?: boolean;
  /** Stands both before and after the path of the issuer. */
  wellKnown?: boolean;
}
