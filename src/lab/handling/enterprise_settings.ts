import { addressesOf } from "../../server/config/addresses.ts";
import { once } from "../../server/util/time/promises.ts";
import type { Tenants } from "../core/core_lab.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";

const loadTenantFetch = once(() => import("./fetch_from_tenants.ts"));

/** Returns the function that completes the settings of a lab with those of an enterprise. */
export async function loadEnterprise(
  { enterprise = false }: { enterprise?: boolean | undefined },
): Promise<(config: LabConfig) => LabConfig> {
  if (!enterprise) return (config) => config;
  const { withEnterprise } = await import("../enterprise/enterprise_config.ts");
  return withEnterprise;
}

/** Lets the server of an enterprise fetch from the tenants of its lab, in this process. */
export function withTenantFetch(config: LabConfig, { ofUrl }: Tenants): LabConfig {
  if (!config.enterprise) return config;
  const { addresses } = addressesOf(config);
  return {
    ...config,
    async fetch(url, init) {
      const { fetchFromTenants } = await loadTenantFetch();
      return await fetchFromTenants({ ofUrl, addresses }, config.fetch)(url, init);
    },
  };
}
