import type { Settings } from "../../../server/config/settings.ts";
import type { Config } from "../../../server/features.ts";
import { documentsServer } from "../../../server/features/documents/config.ts";

/** JSON holds no function: a tenant that fetches documents of clients does so as its lab does. */
export function fetchOfLab(
  settings: Settings,
  { clientMetadataDocuments }: Partial<Config>,
): Partial<Config> {
  const shares = clientMetadataDocuments === true &&
    documentsServer.of(settings).clientMetadataDocuments;
  return shares ? { fetchUntrusted: settings.fetchUntrusted } : {};
}
