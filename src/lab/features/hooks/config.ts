import { linkSchemas } from "../../../server/config/link_schemas.ts";
import type { FlowScope } from "../../recording/flow_scope.ts";
import settings from "./settings.json" with { type: "json" };

/** Claims to add, and to whose tokens. */
export interface ClaimsCall extends FlowScope {
  /** The claims, with their values. */
  claims: Record<string, unknown>;
}

export const callSchemas = linkSchemas(settings);
