// Written by `deno task generate`, from the folders of the features.
import { agentInterface } from "./features/agents/interface.ts";
import { apiDrillInterface } from "./features/api_drill/interface.tsx";
import { authorizedInterface } from "./features/authorized/interface.ts";
import { cibaInterface } from "./features/ciba/interface.tsx";
import { connectInterface } from "./features/connect/interface.tsx";
import { consentInterface } from "./features/consents/interface.ts";
import { deviceInterface } from "./features/device/interface.tsx";
import { documentInterface } from "./features/documents/interface.ts";
import { drillInterface } from "./features/drill/interface.tsx";
import { enterpriseInterface } from "./features/enterprise/interface.ts";
import { faultInterface } from "./features/faults/interface.ts";
import { flowFileInterface } from "./features/flow_files/interface.ts";
import { mcpInterface } from "./features/mcp/interface.tsx";
import { mtlsInterface } from "./features/mtls/interface.ts";
import { providerInterface } from "./features/providers/interface.ts";
import { redirectUriInterface } from "./features/redirect_uris/interface.ts";
import { reportInterface } from "./features/report/interface.tsx";
import { sessionInterface } from "./features/sessions/interface.tsx";
import { snapshotInterface } from "./features/snapshots/interface.ts";
import { valueInterface } from "./features/values/interface.ts";
import { workloadInterface } from "./features/workloads/interface.tsx";
import type { Lab } from "./lab.ts";
import type { FeatureInterface } from "./pages/page/feature_interface.ts";

/** What the features of a lab have over HTTP. */
export const featureInterfaces: ReadonlyArray<FeatureInterface<Lab>> = [
  redirectUriInterface,
  cibaInterface,
  providerInterface,
  connectInterface,
  consentInterface,
  deviceInterface,
  documentInterface,
  faultInterface,
  mcpInterface,
  mtlsInterface,
  enterpriseInterface,
  workloadInterface,
  valueInterface,
  reportInterface,
  drillInterface,
  apiDrillInterface,
  flowFileInterface,
  sessionInterface,
  snapshotInterface,
  agentInterface,
  authorizedInterface,
];
