import type { ObjectSchema } from "../../server/config/schema.ts";
import type { Settings } from "../../server/config/settings.ts";
import type { Config } from "../../server/features.ts";
import type { CoreLab } from "../core/core_lab.ts";
import type { Operation, OperationCall } from "../core/operation.ts";
import type { TenantConfig } from "../core/tenant_config.ts";
import { fetchOfLab } from "../features/documents/control.ts";
import { checkChangeable } from "../lab_server/changeable_settings.ts";
import { labClaimWarnings } from "../lab_server/claim_warnings.ts";

/** A tenant, as data. */
export interface TenantDescription {
  /** The id of the tenant in its lab. */
  id: string;
  /** Its issuer. */
  issuer: string;
  /** What its configuration probably got wrong. */
  warnings?: string[];
}

/** The members of the body beside the settings. */
const tenantOptions: ObjectSchema["members"] = {
  id: { type: "string" },
  issuer: { type: "string" },
  reuse: { type: "boolean" },
};

/** What features share with a tenant that asks for it. */
const sharedSettings: ReadonlyArray<(settings: Settings, body: Partial<Config>) => object> = [
  fetchOfLab,
];

export const tenantOperations: readonly Operation[] = [
  {
    method: "POST",
    path: "/tenants",
    summary: "Opens another issuer in the same process.",
    body: { name: "TenantSettings" },
    returns: "TenantDescription",
    run: (lab, { body }) => openTenant(lab, body),
  },
  {
    method: "GET",
    path: "/tenants",
    summary: "Lists the tenants.",
    returns: "TenantDescription[]",
    run: ({ tenants }) => tenants.ids().map((id) => ({ id, issuer: tenants.find(id).issuer })),
  },
  {
    method: "DELETE",
    path: "/tenants/:id",
    summary: "Closes a tenant.",
    run: (lab, { segment }) => lab.tenants.close(segment),
  },
];

async function openTenant(lab: CoreLab, body: OperationCall["body"]): Promise<TenantDescription> {
  checkChangeable(body, tenantOptions);
  const { settings } = lab.context;
  const shared = sharedSettings.map((settingsOf) => settingsOf(settings, body));
  const tenant = await lab.tenant(Object.assign({}, ...shared, body) as TenantConfig);
  const { issuer, context } = tenant;
  const warnings = labClaimWarnings(context.settings);
  const id = lab.tenants.ids().find((each) => lab.tenants.find(each) === tenant) ?? "";
  return { id, issuer, ...warnings.length > 0 && { warnings } };
}
