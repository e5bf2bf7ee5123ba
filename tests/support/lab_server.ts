import { demoClients } from "../../src/lab/demo/demo_clients.ts";
import { demoUsers } from "../../src/lab/demo/demo_users.ts";
import { features } from "../../src/lab/features.ts";
import type { LabServerConfig } from "../../src/lab/lab_server/core_lab_config.ts";
import { additionsOf, createShapedServer } from "../../src/lab/lab_server/create_server.ts";
import { withServerScopes } from "../../src/lab/lab_server/lab_scopes.ts";
import { checkShape } from "../../src/server/config/check_shape.ts";
import { configSchema } from "../../src/server/features.ts";
import type { InternalServer } from "../../src/server/server.ts";
import { memoryStore } from "../../src/server/store/memory.ts";

/** Creates the server of a lab, without the lab around it. */
export function createLabServer(given: LabServerConfig): InternalServer {
  const { redirectUris, ...config } = withServerScopes(given);
  checkShape(config, configSchema);
  const {
    store = memoryStore(),
    users = demoUsers,
    clients = demoClients({ redirectUris, ...config }, additionsOf(features)),
  } = config;
  return createShapedServer({ ...config, store, users, clients }, features, {});
}
