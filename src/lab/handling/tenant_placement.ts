import { addressesOf } from "../../server/config/addresses.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { tenantPath } from "../control/control_path.ts";
import type { InterfacePlace } from "../core/core_lab.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import {
  addressesBelow,
  type LabAddresses,
  type LabUrls,
  tenantPrefix,
} from "./tenant_addresses.ts";

/** Where a tenant is. */
export interface TenantPlacement {
  /** The settings that follow from it. */
  settings: LabAddresses & Pick<LabConfig, "controlApart" | "pagesUrl">;
  /** Where its interface over HTTP is, if that is not at its issuer. */
  place?: InterfacePlace | undefined;
}

/** Places a tenant below the issuer of the lab. */
export function placeBelow(lab: LabUrls, id: string): TenantPlacement {
  return { settings: addressesBelow(lab, tenantPath(id)) };
}

/**
 * Places a tenant at an issuer that the test chose. Its host never leads to the interface over
 * HTTP, which stays at an address of the lab.
 */
export function placeAtIssuer(lab: LabUrls, id: string, issuer: string): TenantPlacement {
  const pagesUrl = () => issuerUrl(lab.issuer, `${tenantPath(id)}/lab`);
  return {
    settings: { issuer, controlApart: true, pagesUrl },
    place: { base: `${tenantPrefix(lab)}${id}`, addresses: addressesOf(lab).addresses },
  };
}
