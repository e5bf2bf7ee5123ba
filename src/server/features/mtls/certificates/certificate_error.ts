/** Why a certificate cannot be read or trusted. Operators and the log see the reason. */
export class CertificateError extends Error {
  override name = "CertificateError";
}
