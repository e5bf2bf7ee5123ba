import type { CoreLab } from "../core/core_lab.ts";
import type { TenantConfig } from "../core/tenant_config.ts";
import { demoUsers } from "../demo/demo_users.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import { type ProviderChoice, providerNameOf } from "../lab_server/preset_file.ts";
import { openCompletions } from "./lab_completions.ts";

/**
 * Opens each provider that a lab plays, with the users who have an account there, and what its
 * features have beside it.
 */
export async function openProviders(lab: CoreLab, config: LabConfig): Promise<void> {
  for (const provider of config.providers ?? []) {
    await lab.tenant(tenantOf(provider, config));
  }
  await openCompletions(lab, config);
}

/** A provider has the settings of the lab, but for those that say where a lab is. */
function tenantOf(
  provider: ProviderChoice,
  {
    issuer: _issuer,
    frontChannelUrl: _front,
    backChannelUrl: _back,
    store: _store,
    providers: _providers,
    accounts = {},
    hosts = false,
    signIn,
    users = demoUsers,
    onEvent: _onEvent,
    onLabEvent: _onLabEvent,
    pagesUrl: _pagesUrl,
    ...others
  }: LabConfig,
): TenantConfig {
  const id = providerNameOf(provider);
  const known = users.filter(({ name }) => accounts[name]?.includes(id) !== false);
  const signsIn = known.some(({ name }) => name === signIn);
  const issuer = typeof hosts === "object" ? hosts[id] : undefined;
  return {
    ...others,
    ...{ id, provider, issuer, users: known, hosts: Boolean(hosts) },
    ...signsIn && { signIn },
  };
}
