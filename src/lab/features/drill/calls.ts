import { linkSchemas } from "../../../server/config/link_schemas.ts";
import type { ApiDrillCalls } from "../api_drill/drill.ts";
import type { DrillApplication } from "./application_login.ts";
import calls from "./calls.json" with { type: "json" };

/** An application to drill, and how. */
export interface AppDrillCall extends Partial<DrillApplication> {
  /** The faults of the variants, and the ids of the checks. Default: all. */
  only?: string[] | undefined;
  /**
   * Whether it is a client of the Model Context Protocol, which calls a tool of `/mcp` once its user
   * signed in.
   *
   * @default false
   */
  mcp?: boolean | undefined;
}

/** An application to drill, or what is drilled in its place, and how. */
export interface DrillCall extends AppDrillCall, ApiDrillCalls {
  /**
   * The id of the tenant whose server misbehaves; its progress is at `/t/ID/lab/drill`.
   *
   * @default none: the lab itself
   */
  tenant?: string | undefined;
  /**
   * Whether to respond when the drill has ended, and not when it starts.
   *
   * @default true
   */
  wait?: boolean | undefined;
}

export const callSchemas = linkSchemas(calls);
