import { type Der, toPem } from "../../src/server/util/bytes/der.ts";
import made from "./client_certificates.json" with { type: "json" };

/** The certificates that OpenSSL made, by what each is for; all but two are valid until 2123. */
export type CertificateName = keyof typeof made.certificates;

export const certificateNames = Object.keys(made.certificates) as CertificateName[];

export function derOf(name: CertificateName): Der {
  return fromBase64(made.certificates[name]);
}

/** Returns certificates in PEM, one after another. */
export function pemOf(...names: readonly CertificateName[]): string {
  return names.map((name) => toPem("CERTIFICATE", derOf(name))).join("");
}

/** Returns the key of a certificate in PEM. */
export function keyPemOf(name: keyof typeof made.keys): string {
  return toPem("PRIVATE KEY", fromBase64(made.keys[name]));
}

function fromBase64(text: string): Der {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
