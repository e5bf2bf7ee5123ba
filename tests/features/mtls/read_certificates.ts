import {
  type Certificate,
  readCertificate,
} from "../../../src/server/features/mtls/certificates/certificate.ts";
import { type CertificateName, derOf } from "../../support/client_certificates.ts";

/** Reads a certificate that OpenSSL made. */
export function certificateOf(name: CertificateName): Certificate {
  return readCertificate(derOf(name));
}
