import {
  type Certificate,
  readCertificate,
} from "../../../src/server/features/mtls/certificate.ts";
import { type Der, toPem } from "../../../src/server/util/bytes/der.ts";
import certificates from "./certificates.json" with { type: "json" };
import keys from "./keys.json" with { type: "json" };

/** The certificates that OpenSSL made, by what each is for; most are valid until 2123. */
export type CertificateName = keyof typeof certificates;

export const certificateNames = Object.keys(certificates) as CertificateName[];

export function derOf(name: CertificateName): Der {
  return fromBase64(certificates[name]);
}

export function certificateOf(name: CertificateName): Certificate {
  return readCertificate(derOf(name));
}

/** Returns certificates in PEM, one after another. */
export function pemOf(...names: readonly CertificateName[]): string {
  return names.map((name) => toPem("CERTIFICATE", derOf(name))).join("");
}

/** Returns the key of a certificate in PEM. */
export function keyPemOf(name: keyof typeof keys): string {
  return toPem("PRIVATE KEY", fromBase64(keys[name]));
}

function fromBase64(text: string): Der {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
