import type { CoreLab } from "../core/core_lab.ts";
import type { CoreTenantConfig } from "../core/tenant_config.ts";
import { demoUsers } from "../demo/demo_users.ts";
import { playedOrigin } from "../dialect/played_hosts.ts";
import type { CoreLabConfig } from "../lab_server/lab_config.ts";
import { type ProviderChoice, providerNameOf } from "../lab_server/preset_file.ts";
import type { CompleteSettings, FeatureRow } from "../leniencies/leniency.ts";
import { LabError } from "../util/lab_error.ts";

/** The settings of a lab that its providers do not have. */
const ofWholeLab = [
  ...["issuer", "frontChannelUrl", "backChannelUrl", "pagesUrl"],
  ...["store", "onEvent", "onLabEvent", "providers", "accounts"],
];

/** Settings that may name a provider. */
type ProvidedConfig = { [Name in keyof CoreLabConfig]?: CoreLabConfig[Name] | undefined };

/**
 * Returns the settings of a lab with those of the provider that it plays.
 *
 * @throws {LabError} There is no such provider, or a setting contradicts its preset.
 */
export async function withProvider<C extends ProvidedConfig>(given: C): Promise<C> {
  const { provider, hosts = false, issuer } = given;
  if (provider === undefined) return given;
  const { requirePreset } = await import("../providers/presets.ts");
  const { applyPreset } = await import("../providers/apply_preset.ts");
  const config = applyPreset(await requirePreset(provider), given);
  if (!hosts || issuer !== undefined) return config;
  const name = providerNameOf(provider);
  const chosen = typeof hosts === "object" ? hosts[name] : undefined;
  return { ...config, issuer: chosen ?? realIssuer(config, name) };
}

function realIssuer({ dialect }: ProvidedConfig, name: string): string {
  const issuer = playedOrigin(dialect);
  if (issuer !== undefined) return issuer;
  throw new LabError(
    `'hosts' cannot choose a host for ${name}, whose customers have hosts of their own. ` +
      `Name your issuer: { "${name}": "https://shop.example" }, or --issuer on the command line.`,
  );
}

/**
 * Opens each provider that a lab plays, with the users who have an account there, and what its
 * features have beside it.
 */
export async function openProviders(
  lab: CoreLab,
  config: CoreLabConfig,
  features: readonly FeatureRow[],
): Promise<void> {
  for (const provider of config.providers ?? []) {
    await lab.tenant(tenantOf(provider, config));
  }
  for (const feature of features) await feature.openTenants?.(lab, config);
}

/** Loads what completes the settings of a lab with those of the features that they ask for. */
export async function loadCompletion(
  given: Partial<CoreLabConfig>,
  features: readonly FeatureRow[],
): Promise<CompleteSettings> {
  const loaded = await Promise.all(features.map((each) => each.loadCompletion?.(given, features)));
  return (config) => loaded.reduce((before, complete) => complete?.(before) ?? before, config);
}

/** A provider has the settings of the lab, but for those that are about where the lab is. */
function tenantOf(provider: ProviderChoice, config: CoreLabConfig): CoreTenantConfig {
  const { accounts = {}, hosts = false, signIn, users = demoUsers } = config;
  const id = providerNameOf(provider);
  const known = users.filter(({ name }) => accounts[name]?.includes(id) !== false);
  const given = Object.entries(config).filter(([name]) => !ofWholeLab.includes(name));
  return {
    ...Object.fromEntries(given),
    id,
    provider,
    issuer: typeof hosts === "object" ? hosts[id] : undefined,
    users: known,
    hosts: Boolean(hosts),
    signIn: known.some(({ name }) => name === signIn) ? signIn : undefined,
  };
}
