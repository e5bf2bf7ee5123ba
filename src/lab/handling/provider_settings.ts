import { playedOrigin } from "../dialect/played_hosts.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import { providerNameOf } from "../lab_server/preset_file.ts";
import { LabError } from "../util/lab_error.ts";

/** Settings that may name a provider. */
type ProvidedConfig = { [Name in keyof LabConfig]?: LabConfig[Name] | undefined };

/**
 * Returns the settings of a lab with those of the provider that it plays.
 *
 * @throws {LabError} There is no such provider, or a setting contradicts its preset.
 */
export async function withProvider<C extends ProvidedConfig>(given: C): Promise<C> {
  const { provider, hosts = false, issuer } = given;
  if (provider === undefined) return given;
  const { requirePreset } = await import("../preset_files/require_preset.ts");
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
