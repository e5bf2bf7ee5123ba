import type { CoreLab } from "../../../core/core_lab.ts";
import type { LabConfig } from "../../../lab_server/lab_config.ts";
import { companyConfig } from "./enterprise_config.ts";

/** Opens the identity provider of an enterprise. It has the clock of its lab. */
export async function openCompany(lab: CoreLab, config: LabConfig): Promise<void> {
  const { now } = lab.clock;
  const company = lab.tenants.open({ ...companyConfig(config), now });
  await company.ready();
}
