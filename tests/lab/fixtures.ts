// Written by `deno task generate`, from the folders of the features.
import type { LabFixtures } from "../support/lab_fixtures.ts";
import { agentFixtures } from "./features/agents/fixtures.ts";
import { approvalFixtures } from "./features/ciba/fixtures.ts";
import { consentFixtures } from "./features/consents/fixtures.ts";
import { documentFixtures } from "./features/documents/fixtures.ts";
import { drillFixtures } from "./features/drill/fixtures.ts";
import { faultFixtures } from "./features/faults/fixtures.ts";
import { flowFileFixtures } from "./features/flow_files/fixtures.ts";
import { hookFixtures } from "./features/hooks/fixtures.ts";
import { mcpFixtures } from "./features/mcp/fixtures.ts";
import { mtlsFixtures } from "./features/mtls/fixtures.ts";
import { providerFixtures } from "./features/providers/fixtures.ts";
import { reportFixtures } from "./features/report/fixtures.ts";
import { sessionFixtures } from "./features/sessions/fixtures.ts";
import { snapshotFixtures } from "./features/snapshots/fixtures.ts";
import { valueFixtures } from "./features/values/fixtures.ts";
import { workloadFixtures } from "./features/workloads/fixtures.ts";

/** What each feature of a lab adds to the tests of the whole lab. */
export const labFixtures: readonly LabFixtures[] = [
  agentFixtures,
  approvalFixtures,
  consentFixtures,
  documentFixtures,
  drillFixtures,
  faultFixtures,
  flowFileFixtures,
  hookFixtures,
  mcpFixtures,
  mtlsFixtures,
  providerFixtures,
  reportFixtures,
  sessionFixtures,
  snapshotFixtures,
  valueFixtures,
  workloadFixtures,
];
