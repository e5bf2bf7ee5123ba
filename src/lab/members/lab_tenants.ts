import type { CoreLab, Tenants } from "../core/core_lab.ts";
import type { TenantConfig } from "../core/tenant_config.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import { withProvider } from "../handling/provider_settings.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import type { Exchange } from "../recording/exchange.ts";
import { LabError } from "../util/lab_error.ts";

/** Settings that a test may pass by mistake. */
type GivenTenant = TenantConfig & Pick<LabConfig, "enterprise">;

/** Creates the members of a lab that open and find its tenants. */
export function createLabTenants<L extends CoreLab>(
  { server }: LabParts,
  tenants: Tenants<L>,
  labOf: () => L,
) {
  return {
    tenants,
    handlerOf({ tenant }: Pick<Exchange, "tenant">): L | undefined {
      if (tenant === undefined) return labOf();
      const [id = "", ...inner] = tenant.split("/");
      if (!tenants.ids().includes(id)) return undefined;
      return tenants.find(id).handlerOf(inner.length > 0 ? { tenant: inner.join("/") } : {});
    },
    async tenant(config: GivenTenant = {}): Promise<L> {
      await server.settled();
      if (config.enterprise) {
        throw new LabError("'enterprise' is for a whole lab, not for a tenant.");
      }
      return tenants.open(await withProvider(config));
    },
  };
}
