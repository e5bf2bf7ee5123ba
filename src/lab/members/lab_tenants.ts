import type { CoreLab, Tenants } from "../core/core_lab.ts";
import type { CoreTenantConfig } from "../core/tenant_config.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import { withProvider } from "../handling/lab_providers.ts";
import { wholeLabSettings } from "../lab_server/changeable_settings.ts";
import type { Exchange } from "../recording/exchange.ts";
import { LabError } from "../util/lab_error.ts";

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
    async tenant(config: CoreTenantConfig = {}): Promise<L> {
      await server.settled();
      checkTenant(config);
      return tenants.open(await withProvider(config));
    },
  };
}

/** Throws for a setting that a test passes by mistake: the type of a tenant has none of them. */
function checkTenant(config: CoreTenantConfig): void {
  for (const [name, value] of Object.entries(config)) {
    if (!value || !Object.hasOwn(wholeLabSettings, name)) continue;
    throw new LabError(`'${name}' is for a whole lab, not for a tenant.`);
  }
}
