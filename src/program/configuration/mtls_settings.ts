import { basePath } from "../../server/protocol/issuer_url.ts";
import { parseUrl } from "../../server/util/addresses/uri.ts";
import type { FileConfig } from "./config_file.ts";
import { type ProgramConfig, readPem } from "./program_config.ts";

/** The settings of mutual TLS, which are those of a feature. */
interface MtlsSettings {
  mtls?: {
    url?: string;
    authorities?: string | (() => string | Promise<string>);
    proxies?: "loopback" | string[];
  };
}

/** The settings of the server that matter here. */
type Addressed = Pick<FileConfig["server"], "issuer" | "backChannelUrl"> & MtlsSettings;

/**
 * Returns mutual TLS with the port and the authorities of the program. A URL in the file may be
 * that of a proxy before the port.
 */
export async function mtlsSettings(
  { mtlsPort, mtlsCa }: ProgramConfig,
  { issuer, backChannelUrl = issuer, mtls }: Addressed,
): Promise<MtlsSettings> {
  if (mtlsPort === undefined && mtlsCa === undefined) return {};
  const address = parseUrl(backChannelUrl ?? "");
  const host = address?.hostname ?? "localhost";
  const path = address ? basePath(address.href) : "";
  return {
    mtls: {
      ...mtlsPort !== undefined && { url: `https://${host}:${mtlsPort}${path}` },
      ...mtls,
      ...mtlsCa !== undefined && { authorities: await readPem(mtlsCa, "CERTIFICATE") },
    },
  };
}

/** Returns the settings of a server with a port for certificates where their URL has 0. */
export function withMtlsPort<S extends Addressed>(server: S, port: number | undefined): S {
  const { mtls } = server;
  if (mtls?.url === undefined || port === undefined) return server;
  return {
    ...server,
    mtls: { ...mtls, url: mtls.url.replace(/^(https:\/\/[^/]*):0(?=\/|$)/, `$1:${port}`) },
  };
}

/** Whether a server reads certificates that no connection can bring. */
export function lacksCertificates({ mtlsPort }: ProgramConfig, { mtls }: Addressed): boolean {
  const { proxies = [] } = mtls ?? {};
  return mtls !== undefined && mtlsPort === undefined && proxies.length === 0;
}

/** Returns where clients connect with a certificate, if that is not the issuer. */
export function mtlsUrlsOf({ mtls }: Addressed): string[] {
  return [mtls?.url ?? []].flat();
}
