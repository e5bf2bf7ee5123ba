import { linkSchemas } from "../../../server/config/link_schemas.ts";
import calls from "./calls.json" with { type: "json" };

/** How the lab shall misbehave. Without a member: the faults that are on. */
export interface BreakCall {
  /** The name of a fault, or words of it: id_token.expired, or "expired id token". */
  fault?: string | undefined;
  /** Only this client meets it. */
  client?: string | undefined;
  /**
   * How often it fires. Without it, until it is switched off.
   *
   * @integer
   * @minimum 1
   */
  times?: number | undefined;
  /** Whether to switch the fault off, or without `fault`, all faults. */
  off?: boolean | undefined;
}

export const callSchemas = linkSchemas(calls);
