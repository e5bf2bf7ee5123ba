import type { Settings } from "../../config/settings.ts";
import type { Feature } from "../../feature.ts";
import type { Grant } from "../../grants/grant.ts";
import type { WorkloadClients } from "../../issuer/active_features.ts";
import { idJagGrantProfile, jwtBearerGrantType } from "../../protocol/grant_types.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import { checkIssuers } from "./check_issuers.ts";
import { assertionIssuers, issuersOf, readIssuers } from "./config.ts";
import { findReferredWorkload, findWorkload, isWorkload } from "./workload.ts";

const { redeemAssertion } = lazyModule(() => import("./jwt_bearer.ts"));
const { proveWorkload } = lazyModule(() => import("./redeem_workload.ts"));

const grant: Grant = {
  type: jwtBearerGrantType,
  redeem: redeemAssertion,
  clientProof: { isEnabled: hasWorkloads, prove: proveWorkload },
};

const workloadClients: WorkloadClients = {
  find: ({ settings }, id) => findWorkload(settings, id),
  findReferred: ({ settings }, reference) =>
    isWorkload(reference.clientId) ? findReferredWorkload(settings, reference) : undefined,
};

/**
 * Assertions of other issuers yield tokens (RFC 7523, section 2.1): about a user, also as an
 * ID-JAG, for a client that the issuer lists; or about a workload, which is then the client itself.
 */
export const assertions: Feature = {
  name: "assertions",
  config: {
    server: {
      ...assertionIssuers,
      check: (own, settings, report) => checkIssuers(readIssuers(own), settings, report),
      sets: issuersOf,
    },
  },
  grants: [grant],
  secrets: ["assertion"],
  under: (settings) => hasWorkloads(settings) ? { workloadClients } : {},
  metadata: ({ assertingIssuers }) =>
    assertingIssuers.size > 0
      ? { authorization_grant_profiles_supported: [idJagGrantProfile] }
      : {},
};

function hasWorkloads(settings: Settings): boolean {
  return assertionIssuers.of(settings).workloadIssuers.size > 0;
}
