import type { Settings } from "../../config/settings.ts";
import type { Feature } from "../../feature.ts";
import type { Grant } from "../../grants/grant.ts";
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

/**
 * Assertions of other issuers yield tokens (RFC 7523, section 2.1): about a user, also as an
 * ID-JAG, for a client that the issuer lists; or about a workload, which is then the client itself.
 */
export const assertions: Feature = {
  name: "assertions",
  config: {
    server: {
      ...assertionIssuers,
      check: checkIssuers,
      assertingIssuers: (config) =>
        new Map(readIssuers(config).trustedIssuers.map(({ issuer, clients }) => [issuer, clients])),
      keep: issuersOf,
    },
  },
  grants: [grant],
  secrets: ["assertion"],
  clientSource: {
    enabled: hasWorkloads,
    isSourceOf: ({ id }) => isWorkload(id),
    offerTo: ({ settings }) => settings.offer,
    find: ({ settings }, id) => Promise.resolve(findWorkload(settings, id)),
    findReferred: ({ settings }, reference) =>
      isWorkload(reference.clientId) ? findReferredWorkload(settings, reference) : undefined,
  },
  metadata: ({ assertingIssuers }) =>
    assertingIssuers.size > 0
      ? { authorization_grant_profiles_supported: [idJagGrantProfile] }
      : {},
};

function hasWorkloads(settings: Settings): boolean {
  return assertionIssuers.of(settings).workloadIssuers.size > 0;
}
