import { linkSchemas } from "../../../server/config/link_schemas.ts";
import calls from "./calls.json" with { type: "json" };

/** What else `assertClean` checks. */
export interface CleanOptions {
  /**
   * Whether refused requests count as well, except for those that a fault caused, and for an
   * expired token after which the client got one that works.
   *
   * @default false
   */
  refused?: boolean | undefined;
  /**
   * Whether a request must have reached the lab. It asks about a whole run of tests: one that only
   * mints tokens sends none.
   *
   * @default false
   */
  reached?: boolean | undefined;
}

export const callSchemas = linkSchemas(calls);
