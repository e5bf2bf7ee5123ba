import { checkAddress } from "../../config/addresses.ts";
import { type AddedServerSettings, settingsPart } from "../../config/feature_config.ts";
import { linkSchemas } from "../../config/link_schemas.ts";
import type { ReportProblem } from "../../config/problems.ts";
import type { AddedClientSettings } from "../../config/settings.ts";
import {
  certificateMethods,
  type CoreClientConfig,
  isCertificateMethod,
} from "../../model/client_config.ts";
import { parseAddress } from "../../util/addresses/address_spelling.ts";
import { normalizeName } from "./distinguished_name.ts";
import { readBase64Certificate, readPemCertificates } from "./pem_certificates.ts";
import settings from "./settings.json" with { type: "json" };

/** The setting of mutual TLS. */
export interface MtlsSetting {
  /**
   * Mutual TLS (RFC 8705): clients can authenticate with certificates, and tokens be bound to them.
   * `{}` suffices for what needs no authority.
   *
   * @default none: no certificate is read
   */
  mtls?: MtlsConfig;
}

/** How clients authenticate with certificates. */
export interface MtlsConfig {
  /**
   * Where clients connect with a certificate: a port or host that asks for one, as the issuer never
   * does. The metadata names its endpoints as `mtls_endpoint_aliases`.
   *
   * @format url
   * @default none: all at the issuer
   */
  url?: string;
  /**
   * The certificates (PEM) of the authorities that vouch for clients, for `tls_client_auth`; or a
   * function that returns them.
   *
   * @default none: clients register certificates
   */
  authorities?: string | (() => string | Promise<string>);
  /**
   * The proxies whose headers `Client-Cert` and `Client-Cert-Chain` count (RFC 9440), as in
   * `trustedProxies`. They must remove both from the requests of clients; from others, and at other
   * hosts than that of `url`, such a request is refused.
   *
   * @format network
   */
  proxies?: "loopback" | string[];
}

/** What the certificate of a client must contain, for `tls_client_auth`: one of these. */
export interface MtlsClientConfig {
  /** The subject of the client's certificate, as text: `CN=client,O=Example` (RFC 4514). */
  tlsClientAuthSubjectDn?: string;
  /** A DNS name of the client's certificate. */
  tlsClientAuthSanDns?: string;
  /** A URI of the client's certificate. */
  tlsClientAuthSanUri?: string;
  /** An IP address of the client's certificate. */
  tlsClientAuthSanIp?: string;
  /** An email address of the client's certificate. */
  tlsClientAuthSanEmail?: string;
}

// The schema of the object replaces the reference to it.
linkSchemas(settings);

/** A setting of a client that its certificate must agree with. */
export type CertificateName = keyof MtlsClientConfig;

const mtlsSettings = settingsPart<MtlsSetting>(settings.MtlsSetting);

const clientPart = settingsPart<MtlsClientConfig>(settings.MtlsClientConfig);

const certificateNames = Object.keys(clientPart.schema.members) as CertificateName[];

/** Returns how clients authenticate with certificates; undefined if a server reads none. */
export function mtlsOf(server: object): MtlsConfig | undefined {
  return mtlsSettings.of(server).mtls;
}

/** Returns what the certificate of a client must contain, for `tls_client_auth`. */
export function expectedNames(client: object): Array<[setting: CertificateName, name: string]> {
  const part = clientPart.of(client);
  return certificateNames.flatMap((setting) => {
    const name = part[setting];
    return name === undefined ? [] : [[setting, name]];
  });
}

export const mtlsServer: AddedServerSettings<MtlsSetting> = {
  ...mtlsSettings,
  sets({ mtls }) {
    if (!mtls) return {};
    return {
      addresses: [mtls.url ?? []].flat(),
      certificateMethods: mtls.authorities === undefined
        ? ["self_signed_tls_client_auth"]
        : certificateMethods,
    };
  },
  check({ mtls: { url, authorities } = {} }, settings, report) {
    checkAddress("mtls.url", url, settings, report);
    if (typeof authorities === "string" && !readPemCertificates(authorities)?.length) {
      report("mtls.authorities", "must contain certificates in PEM");
    }
  },
};

export const mtlsClients: AddedClientSettings = {
  ...clientPart,
  check(config, _, report) {
    checkMethods(config, report);
    checkNames(config, report);
  },
};

/** Reports methods of which a request would not show which one it uses, or that lack a key. */
function checkMethods(
  { authentication = [], jwks, jwksUri }: CoreClientConfig,
  report: ReportProblem,
): void {
  const unnamed = authentication.filter((each) => isCertificateMethod(each) || each === "none");
  if (unnamed.some(isCertificateMethod) && unnamed.length > 1) {
    report("authentication", `can contain only one of: ${unnamed.join(", ")}`);
  }
  if (jwksUri !== undefined || !authentication.includes("self_signed_tls_client_auth")) return;
  if (jwks?.keys.some(({ x5c }) => readBase64Certificate(String(x5c?.[0])))) return;
  report("jwks", "needs the client's certificate as the 'x5c' of a key; set it, or jwksUri");
}

function checkNames(config: CoreClientConfig, report: ReportProblem): void {
  const needsName = config.authentication?.includes("tls_client_auth") ?? false;
  const names = expectedNames(config);
  const [first, second] = names;
  if (needsName && !first) {
    report("tlsClientAuthSubjectDn", "is missing, and so is any other name of the certificate");
  }
  if (second) report(second[0], "cannot be combined with another name of the certificate");
  for (const [setting, name] of names) {
    if (!needsName) report(setting, "is set, but the client does not use tls_client_auth");
    const problem = nameProblem(setting, name);
    if (problem) report(setting, problem);
  }
}

/** Names are compared as text, so each has to be written as it is read from a certificate. */
function nameProblem(setting: CertificateName, name: string): string | undefined {
  if (setting === "tlsClientAuthSubjectDn" && normalizeName(name) === undefined) {
    return "must be written like 'CN=client,O=Example' (RFC 4514)";
  }
  if (setting === "tlsClientAuthSanIp" && parseAddress(name) !== name) {
    return `must be written like '${parseAddress(name) ?? "192.0.2.1"}'`;
  }
  const isDns = setting === "tlsClientAuthSanDns";
  return isDns && !/^[\w-]+(?:\.[\w-]+)*$/.test(name) ? "must be the name of one host" : undefined;
}
