import type { Lab } from "../control/lab.ts";
import type { TenantConfig } from "../control/tenant_config.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import { withProvider } from "../handling/provider_settings.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import { LabError } from "../util/lab_error.ts";

/** The members of a lab that open and find its tenants. */
export type LabTenants = Pick<Lab, "tenants" | "tenant" | "handlerOf">;

/** Settings that a test may pass by mistake. */
type GivenTenant = TenantConfig & Pick<LabConfig, "enterprise">;

/** Creates the members of a lab that open and find its tenants. */
export function createLabTenants({ server, tenants }: LabParts, labOf: () => Lab): LabTenants {
  return {
    tenants,
    handlerOf({ tenant }) {
      if (tenant === undefined) return labOf();
      const [id = "", ...inner] = tenant.split("/");
      if (!tenants.ids().includes(id)) return undefined;
      return tenants.find(id).handlerOf(inner.length > 0 ? { tenant: inner.join("/") } : {});
    },
    async tenant(config: GivenTenant = {}) {
      await server.settled();
      if (config.enterprise) {
        throw new LabError("'enterprise' is for a whole lab, not for a tenant.");
      }
      return tenants.open(await withProvider(config));
    },
  };
}
