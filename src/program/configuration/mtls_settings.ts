import { parseUrl } from "../../server/util/addresses/uri.ts";
import type { FileConfig } from "./config_file.ts";
import { type ProgramConfig, readPem } from "./program_config.ts";

/** The settings of mutual TLS, which are those of a feature. */
interface MtlsSettings {
  mtls?: object;
}

/** The settings of the server that matter here. */
type Addressed = Pick<FileConfig["server"], "issuer" | "backChannelUrl"> & MtlsSettings;

/** Returns mutual TLS with the port and the authorities of the program. */
export async function mtlsSettings(
  { mtlsPort, mtlsCa }: ProgramConfig,
  { issuer, backChannelUrl = issuer, mtls }: Addressed,
): Promise<MtlsSettings> {
  if (mtlsPort === undefined && mtlsCa === undefined) return {};
  const host = parseUrl(backChannelUrl ?? "")?.hostname ?? "localhost";
  return {
    mtls: {
      ...mtlsPort !== undefined && { url: `https://${host}:${mtlsPort}` },
      ...mtlsCa !== undefined && { authorities: await readPem(mtlsCa, "CERTIFICATE") },
      ...mtls,
    },
  };
}
