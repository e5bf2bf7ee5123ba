import type { LabConfig } from "../lab_server/lab_server.ts";

/** Returns the function that completes the settings of a lab with those of an enterprise. */
export async function loadEnterprise(
  { enterprise = false }: { enterprise?: boolean | undefined },
): Promise<(config: LabConfig) => LabConfig> {
  if (!enterprise) return (config) => config;
  const { withEnterprise } = await import("../enterprise/enterprise_config.ts");
  return withEnterprise;
}
