import { clockOperations } from "./clock_operations.ts";
import { clientOperations, userOperations } from "./directory_operations.ts";
import { documentOperations } from "./document_operations.ts";
import { drillOperations } from "./drill_operations.ts";
import { faultOperations } from "./fault_operations.ts";
import { describeInterface } from "./openapi.ts";
import type { Operation } from "./operation.ts";
import { recordOperations } from "./record_operations.ts";
import { responseOperations } from "./response_operations.ts";
import { settingsOperations } from "./settings_operations.ts";
import { signInOperations } from "./sign_in_operations.ts";
import { snapshotOperations } from "./snapshot_operations.ts";
import { tenantOperations } from "./tenant_operations.ts";
import { tokenOperations } from "./token_operations.ts";
import { valueOperations } from "./value_operations.ts";

/** Everything that can be done with a lab from any language. */
export const operations: readonly Operation[] = [
  ...tokenOperations,
  ...signInOperations,
  ...responseOperations,
  ...valueOperations,
  ...faultOperations,
  ...clockOperations,
  ...recordOperations,
  ...documentOperations,
  ...drillOperations,
  ...snapshotOperations,
  ...settingsOperations,
  ...tenantOperations,
  ...userOperations,
  ...clientOperations,
  {
    method: "GET",
    path: "/openapi.json",
    summary: "Describes this interface in OpenAPI.",
    returns: "OpenApiDocument",
    run: (lab) => describeInterface(lab.issuer, operations),
  },
];
