import type { CoreLab } from "../../core/core_lab.ts";
import { findMetadata, listEndpoints, listProviderApis } from "../../dialect/lab_endpoints.ts";
import type { LabEndpoint, ProviderApi } from "../../dialect/provider_places.ts";
import type { LabMcpInternals } from "../../mcp/lab_mcp_tools.ts";

/** Where a lab has what clients use. */
export interface ShownPlaces {
  issuer: string;
  /** Whether clients can read where the endpoints are. */
  hasMetadata: boolean;
  endpoints: readonly LabEndpoint[];
  apis: readonly ProviderApi[];
  /** The URL of the MCP server, if the lab has one. */
  mcp: string | undefined;
}

/** Returns where a lab has what clients use. */
export function shownPlaces(lab: CoreLab & LabMcpInternals): ShownPlaces {
  return {
    issuer: lab.issuer,
    hasMetadata: findMetadata(lab) !== undefined,
    endpoints: listEndpoints(lab),
    apis: listProviderApis(lab),
    mcp: lab.mcpPlace().url,
  };
}
