import type { EndpointSource } from "../../dialect/lab_endpoints.ts";
import type { LabAccess } from "../../feature.ts";
import type { LabParts } from "../../handling/lab_parts.ts";

/** The parts of a lab that a dry run needs. */
export interface DryRunParts
  extends
    Pick<LabParts, "server" | "config" | "issuer" | "clock" | "seen">,
    Pick<LabAccess, "dryRunLayers"> {}

/** Where the clients of a lab find endpoints: those of the provider, if the lab plays one. */
export function endpointsOf({ server, config }: DryRunParts): EndpointSource {
  return { context: server.current().context, settings: { config } };
}
