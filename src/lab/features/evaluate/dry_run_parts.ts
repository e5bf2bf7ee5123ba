import type { EndpointSource } from "../../dialect/lab_endpoints.ts";
import type { LabParts } from "../../handling/lab_parts.ts";

/** The parts of a lab that a dry run needs. */
export type DryRunParts = Pick<
  LabParts,
  "server" | "hooks" | "powers" | "issuer" | "clock" | "seen"
>;

/** Where the clients of a lab find endpoints: those of the provider, if the lab plays one. */
export function endpointsOf({ server, powers }: DryRunParts): EndpointSource {
  return { context: server.current().context, settings: { config: powers } };
}
