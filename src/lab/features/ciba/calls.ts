import { linkSchemas } from "../../../server/config/link_schemas.ts";
import type { Duration } from "../../../server/util/time/duration.ts";
import calls from "./calls.json" with { type: "json" };

/** A user who decides about a request, which may not have come yet. */
export interface ApproveCall {
  /** The name of the user. */
  user: string;
  /**
   * Whether the user denies the request.
   *
   * @default false
   */
  deny?: boolean | undefined;
  /**
   * How long the user takes, on the clock of the lab: `"5s"`.
   *
   * @default the user decides at once
   */
  after?: Duration | undefined;
  /**
   * The client that asks.
   *
   * @default any client
   */
  client?: string | undefined;
}

/** What a user decides, and when. */
export type ApproveOptions = Omit<ApproveCall, "user">;

export const callSchemas = linkSchemas(calls);
