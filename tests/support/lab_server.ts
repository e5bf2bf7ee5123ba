import { features } from "../../src/lab/features.ts";
import {
  checkLabShape,
  createShapedServer,
  withServerScopes,
} from "../../src/lab/lab_server/create_server.ts";
import type { LabServerConfig } from "../../src/lab/lab_server/lab_config.ts";
import type { InternalServer } from "../../src/server/server.ts";

/** Creates the server of a lab, without the lab around it. */
export function createLabServer(given: LabServerConfig): InternalServer {
  const config = withServerScopes(given);
  checkLabShape(config);
  return createShapedServer(config, features);
}
