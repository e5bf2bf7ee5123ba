import { parseUrl } from "../../server/util/addresses/uri.ts";
import { toPem } from "../../server/util/bytes/der.ts";
import { isIpAddress } from "../util/own_addresses.ts";
import { authorityExtensions, serverExtensions } from "./certificate_extensions.ts";
import { signCertificate } from "./sign_certificate.ts";

/** A certificate for a lab that listens with TLS, with the authority that signed it, in PEM. */
export interface LabCertificate {
  cert: string;
  key: string;
  /** The hash of the public key, in Base64: what Chromium takes for an exception. */
  keyHash: string;
  /** The certificate of the authority, for clients to trust. Its key no longer exists. */
  ca: string;
}

const authorityName = "Hallpass lab, for tests only";

/** Not a host name: clients would compare it with the host that they connect to. */
const serverName = "A server of a Hallpass lab";
const keyAlgorithm = { name: "ECDSA", namedCurve: "P-256" };

/**
 * Returns the hosts to certify for a lab: this machine, those of its addresses, and those that it
 * plays. With the latter there is no IP address, so that the authority is confined to names.
 */
export function hostsOf(
  { issuer, frontChannelUrl, backChannelUrl }: {
    issuer?: string | undefined;
    frontChannelUrl?: string | undefined;
    backChannelUrl?: string | undefined;
  },
  { listensOn, played = [] }: {
    listensOn?: string | undefined;
    played?: readonly string[] | undefined;
  } = {},
): string[] {
  const own = [issuer, frontChannelUrl, backChannelUrl, listensOn && `https://${listensOn}`]
    .flatMap((address) => parseUrl(address ?? "")?.hostname ?? []);
  const all = [...new Set(["localhost", "127.0.0.1", "[::1]", ...own, ...played])];
  return played.length > 0 ? all.filter((host) => !isIpAddress(host)) : all;
}

/**
 * Makes a certificate that is valid for a day, and an authority for it alone: several TLS libraries
 * reject self-signed certificates of servers. The hosts are written as in URLs.
 */
export async function makeLabCertificate(hosts: readonly string[]): Promise<LabCertificate> {
  const { ca, certify } = await createAuthority(hosts);
  return { ...await certify(hosts), ca };
}

/** Creates an authority that may certify these hosts alone, for a day. */
export async function createAuthority(hosts: readonly string[]) {
  const { publicKey, privateKey: signer } = await makeKeyPair(false);
  const keyId = await keyIdOf(publicKey);
  const ca = await signCertificate({
    subject: authorityName,
    issuer: authorityName,
    publicKey,
    signer,
    extensions: authorityExtensions(hosts, keyId),
  });
  return {
    /** Its certificate, in PEM. */
    ca: toPem("CERTIFICATE", ca),
    /** Makes a key and a certificate for a server with these hosts. */
    async certify(hosts: readonly string[]): Promise<Omit<LabCertificate, "ca">> {
      const server = await makeKeyPair(true);
      const cert = await signCertificate({
        subject: serverName,
        issuer: authorityName,
        publicKey: server.publicKey,
        signer,
        extensions: serverExtensions(hosts, keyId),
      });
      const key = new Uint8Array(await crypto.subtle.exportKey("pkcs8", server.privateKey));
      const spki = await crypto.subtle.exportKey("spki", server.publicKey);
      const hash = await crypto.subtle.digest("SHA-256", spki);
      return {
        cert: toPem("CERTIFICATE", cert),
        key: toPem("PRIVATE KEY", key),
        keyHash: btoa(String.fromCharCode(...new Uint8Array(hash))),
      };
    },
  };
}

export async function makeKeyPair(extractable: boolean): Promise<CryptoKeyPair> {
  return await crypto.subtle.generateKey(keyAlgorithm, extractable, ["sign", "verify"]);
}

/** Returns an id of a key (RFC 7093, section 2, method 1). */
export async function keyIdOf(publicKey: CryptoKey): Promise<Uint8Array> {
  const key = await crypto.subtle.exportKey("raw", publicKey);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", key)).slice(0, 20);
}
