import type { LabFeature } from "./feature.ts";
import { agents } from "./features/agents/feature.ts";
import { anyClient } from "./features/any_client/feature.ts";
import { anyGrant } from "./features/any_grant/feature.ts";
import { anyScope } from "./features/any_scope/feature.ts";
import { anyUser } from "./features/any_user/feature.ts";
import { apiDrill } from "./features/api_drill/feature.ts";
import { demoAssertions } from "./features/assertions/feature.ts";
import { logoutTokens } from "./features/backchannel_logout/feature.ts";
import { approvals } from "./features/ciba/feature.ts";
import { connect } from "./features/connect/feature.ts";
import { consents } from "./features/consents/feature.ts";
import { devicePage } from "./features/device/feature.ts";
import { documents } from "./features/documents/feature.ts";
import { drill } from "./features/drill/feature.ts";
import { enterprise } from "./features/enterprise/feature.ts";
import { faults } from "./features/faults/feature.ts";
import { flowFiles } from "./features/flow_files/feature.ts";
import { hooks } from "./features/hooks/feature.ts";
import { demoIntrospection } from "./features/introspection/feature.ts";
import { encryption } from "./features/jwe/feature.ts";
import { demoLogout } from "./features/logout/feature.ts";
import { mcp } from "./features/mcp/feature.ts";
import { mtls } from "./features/mtls/feature.ts";
import { labPasskeys } from "./features/passkeys/feature.ts";
import { providers } from "./features/providers/feature.ts";
import { redirectStatus } from "./features/redirect_status/feature.ts";
import { addedClients } from "./features/redirect_uris/feature.ts";
import { openRegistration } from "./features/registration/feature.ts";
import { report } from "./features/report/feature.ts";
import { referredRequests } from "./features/request_uris/feature.ts";
import { responseTypes } from "./features/response_types/feature.ts";
import { sessions } from "./features/sessions/feature.ts";
import { snapshots } from "./features/snapshots/feature.ts";
import { demoTokenExchange } from "./features/token_exchange/feature.ts";
import { values } from "./features/values/feature.ts";
import { verdicts } from "./features/verdicts/feature.ts";
import { workloads } from "./features/workloads/feature.ts";

/** The features of a lab, in the order in which they open. */
export const features: readonly LabFeature[] = [
  anyClient,
  anyScope,
  anyGrant,
  anyUser,
  labPasskeys,
  redirectStatus,
  addedClients,
  responseTypes,
  approvals,
  providers,
  connect,
  consents,
  demoAssertions,
  demoTokenExchange,
  demoIntrospection,
  demoLogout,
  devicePage,
  documents,
  referredRequests,
  encryption,
  faults,
  hooks,
  logoutTokens,
  mcp,
  mtls,
  openRegistration,
  enterprise,
  workloads,
  values,
  report,
  verdicts,
  drill,
  apiDrill,
  flowFiles,
  sessions,
  snapshots,
  agents,
];
