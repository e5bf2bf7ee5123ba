import { playedOrigin } from "../dialect/played_hosts.ts";
import type { LabConfig } from "../lab_server/lab_server.ts";
import { type ProviderChoice, providerNameOf } from "../lab_server/preset_file.ts";
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
  return hosts && issuer === undefined ? withRealIssuer(config, provider) : config;
}

function withRealIssuer<C extends ProvidedConfig>(config: C, provider: ProviderChoice): C {
  const issuer = playedOrigin(config.dialect);
  if (issuer !== undefined) return { ...config, issuer };
  throw new LabError(
    `'hosts' cannot choose a host for ${
      providerNameOf(provider)
    }, whose customers have hosts of their own. Name ` +
      "yours as the issuer: https://shop.example",
  );
}
