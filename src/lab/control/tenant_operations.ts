import type { ObjectSchema } from "../../server/config/schema.ts";
import type { Settings } from "../../server/config/settings.ts";
import type { Config } from "../../server/features.ts";
import type { CoreLab } from "../core/core_lab.ts";
import { type Operation, operation, type OperationCall } from "../core/operation.ts";
import type { CoreTenantConfig } from "../core/tenant_config.ts";
import { labClaimWarnings } from "../demo/claim_warnings.ts";
import { checkSettingsOverHttp } from "../lab_server/json_settings.ts";

/** A tenant, as data. */
export interface TenantDescription {
  /** The id of the tenant in its lab. */
  id: string;
  /** Its issuer. */
  issuer: string;
  /** Where its interface over HTTP is, at the address that the request was sent to. */
  lab: string;
  /** What its configuration probably got wrong. */
  warnings?: string[];
}

/** The members of the body besides the settings. */
const tenantOptions: ObjectSchema["members"] = {
  id: { type: "string" },
  issuer: { type: "string" },
  reuse: { type: "boolean" },
};

/** Returns what a lab shares with a tenant that asks for it: what JSON cannot hold. */
export type SharedSettings = (settings: Settings, body: Partial<Config>) => Partial<Config>;

export function tenantOpening(shared: readonly SharedSettings[]): Operation {
  return operation("POST /tenants", {
    name: "open-tenant",
    summary: "Opens another issuer in the same process.",
    body: { name: "TenantSettings" },
    example: { body: { id: "acme" } },
    returns: "TenantDescription",
    async run(lab, { body, request }) {
      checkSettingsOverHttp(body, tenantOptions);
      const { settings } = lab.context;
      const given = shared.map((settingsOf) => settingsOf(settings, body));
      const tenant = await lab.tenant(Object.assign({}, ...given, body) as CoreTenantConfig);
      const warnings = labClaimWarnings(tenant.context.settings);
      const id = lab.tenants.ids().find((each) => lab.tenants.find(each) === tenant) ?? "";
      return { ...describeTenant(id, tenant, request), ...warnings.length > 0 && { warnings } };
    },
  });
}

export const tenantOperations: readonly Operation[] = [
  operation("GET /tenants", {
    name: "list-tenants",
    summary: "Lists the tenants.",
    kind: "list",
    returns: "TenantDescription[]",
    run: ({ tenants }, { request }) =>
      tenants.ids().map((id) => describeTenant(id, tenants.find(id), request)),
  }),
  operation("DELETE /tenants/:id", {
    name: "close-tenant",
    summary: "Closes a tenant.",
    example: { segment: "acme" },
    run: (lab, { segment }) => lab.tenants.close(segment),
  }),
];

function describeTenant(
  id: string,
  { issuer, interfacePlace: { base, addresses } }: CoreLab,
  { url }: OperationCall["request"],
): TenantDescription {
  const { origin, host } = new URL(url);
  // A proxy that ends TLS changes the scheme of a request, but not its host.
  const address = addresses.find((each) => new URL(each).host === host) ?? origin;
  return { id, issuer, lab: new URL(`${base}/lab`, address).href };
}
