import type { Lab } from "../../lab/control/lab.ts";
import { playedHosts } from "../../lab/dialect/played_hosts.ts";
import type { ProviderChoice } from "../../lab/lab_server/preset_file.ts";
import { presetSettings } from "../../lab/providers/apply_preset.ts";
import type { PresetSettings, ProviderPreset } from "../../lab/providers/preset.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { isAddress, pathOf, type ReadMetadata } from "../metadata/provider_metadata.ts";

/** What a lab with a preset publishes in place of a provider. */
export interface ComparedProvider {
  preset: ProviderPreset<string>;
  settings: PresetSettings;
  /** The metadata; undefined if the lab has none there. */
  metadata: Readonly<Record<string, unknown>> | undefined;
  keySet: unknown;
  /** Whether the preset states what the metadata contains. */
  playsMetadata: boolean;
  /** Whether the lab has the hosts of the provider. */
  hasHosts: boolean;
}

const ownOrigin = "https://hallpass.test";
const wellKnown = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];

/** Opens a lab with a preset at the issuer of a provider, and reads what it publishes. */
export async function playProvider(
  choice: ProviderChoice,
  real: ReadMetadata,
): Promise<ComparedProvider> {
  const { requirePreset } = await import("../../lab/preset_files/require_preset.ts");
  const preset = await requirePreset(choice);
  const settings = presetSettings(preset);
  const { issuer } = real.document;
  const hasHosts = playedHosts(settings.dialect).includes(new URL(real.url ?? issuer).hostname);
  const origin = hasHosts ? new URL(real.url ?? issuer).origin : ownOrigin;
  const lab = await openAt(choice, origin, pathOf(issuer));
  const { metadata, keySet } = await readPublished(lab, origin, real.url);
  await lab.close();
  const playsMetadata = (settings.dialect?.documents ?? [])
    .some(({ path }) => path.includes("/.well-known/"));
  return { preset, settings, metadata, keySet, playsMetadata, hasHosts };
}

/** Reads the metadata at the path of the provider's, or else at the usual ones. */
async function readPublished(
  lab: Lab,
  origin: string,
  url: string | undefined,
): Promise<Pick<ComparedProvider, "metadata" | "keySet">> {
  const read = async (url: string) => {
    const response = await lab.fetch(new Request(url));
    return response.status === 200 ? parseJson(await response.text()) : undefined;
  };
  const urls = wellKnown.map((path) => lab.issuer.replace(/\/$/, "") + path);
  if (url !== undefined) urls.unshift(origin + pathOf(url));
  const documents = await Promise.all(urls.map(read));
  const metadata = documents.find(isObject);
  const keysUrl = String(metadata?.jwks_uri);
  return { metadata, keySet: isAddress(keysUrl) ? await read(keysUrl) : undefined };
}

/** An issuer with another path than that of the preset cannot be opened: the preset decides. */
async function openAt(provider: ProviderChoice, origin: string, path: string) {
  const { withProvider } = await import("../../lab/handling/provider_settings.ts");
  const { openLab } = await import("../../lab/open_lab.ts");
  const open = async (issuer: string) => openLab(await withProvider({ issuer, provider }));
  const lab = await open(origin + (path.includes("{") ? "" : path.replace(/\/$/, "")))
    .catch(() => open(origin));
  await lab.ready();
  return lab;
}
