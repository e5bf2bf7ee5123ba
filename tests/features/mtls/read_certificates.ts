import {
  type Certificate,
  readCertificate,
} from "../../../src/server/features/mtls/certificates/certificate.ts";
import type { Der } from "../../../src/server/util/bytes/der.ts";
import certificates from "./certificates.json" with { type: "json" };

/** The certificates that OpenSSL made, by what each is for; all but two are valid until 2123. */
export type CertificateName = keyof typeof certificates;

export const certificateNames = Object.keys(certificates) as CertificateName[];

export function derOf(name: CertificateName): Der {
  return Uint8Array.from(atob(certificates[name]), (char) => char.charCodeAt(0));
}

export function certificateOf(name: CertificateName): Certificate {
  return readCertificate(derOf(name));
}
