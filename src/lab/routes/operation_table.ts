import { clockOperations } from "../control/clock_operations.ts";
import { clientOperations, userOperations } from "../control/directory_operations.ts";
import { recordOperations } from "../control/record_operations.ts";
import { registeredClientOperation } from "../control/registered_clients.ts";
import { ruleOperation } from "../control/rule_operations.ts";
import { settingsOperations } from "../control/settings_operations.ts";
import { signInOperations } from "../control/sign_in_operations.ts";
import { tenantOpening, tenantOperations } from "../control/tenant_operations.ts";
import { tokenOperations } from "../control/token_operations.ts";
import { type Operation, operation } from "../core/operation.ts";
import { featureInterfaces } from "../feature_interfaces.ts";
import type { Lab } from "../lab.ts";

/** Everything that can be done with a lab from any language. */
export const operations: ReadonlyArray<Operation<Lab>> = [
  ...tokenOperations,
  ...signInOperations,
  ...clockOperations,
  ...recordOperations,
  ruleOperation,
  ...featureInterfaces.flatMap(({ operations: own = [] }) => own),
  ...settingsOperations,
  tenantOpening(featureInterfaces.flatMap(({ sharedSettings = [] }) => sharedSettings)),
  ...tenantOperations,
  ...userOperations,
  ...clientOperations,
  registeredClientOperation,
  operation("GET /openapi.json", {
    name: "openapi",
    summary: "Describes this interface in OpenAPI.",
    returns: "OpenApiDocument",
    run: async ({ issuer }) =>
      (await import("../control/openapi.ts")).describeInterface(issuer, operations),
  }),
];
