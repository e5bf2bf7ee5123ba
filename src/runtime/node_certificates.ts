import type { IncomingMessage } from "node:http";
import type { DetailedPeerCertificate, TLSSocket } from "node:tls";

/** What Node has of a certificate; one that signed itself is its own issuer. */
type SentCertificate = Partial<DetailedPeerCertificate>;

/** `SSL_OP_NO_TICKET` of OpenSSL. */
const noTickets = 0x4000;

/** More than any client has, in case the issuers of a certificate lead back to it. */
const maxCertificates = 10;

/**
 * Options of a server that asks clients for certificates. The application decides which authority
 * it trusts: a certificate that a client signed itself is fine where its key is registered. Without
 * tickets, no connection resumes another one: Node would then lack the intermediate certificates.
 */
export const askForCertificates = {
  requestCert: true,
  rejectUnauthorized: false,
  secureOptions: noTickets,
} as const;

/**
 * Returns the certificates that a client has sent, its own first; undefined without one. With
 * `getPeerX509Certificate`, Node has the intermediate ones for the first request alone.
 */
export function certificatesOf(socket: IncomingMessage["socket"]): Uint8Array[] | undefined {
  const found: Uint8Array[] = [];
  let certificate: SentCertificate | undefined = (socket as TLSSocket).getPeerCertificate(true);
  while (certificate?.raw && found.length < maxCertificates) {
    found.push(certificate.raw);
    const { issuerCertificate }: SentCertificate = certificate;
    certificate = issuerCertificate === certificate ? undefined : issuerCertificate;
  }
  return found.length > 0 ? found : undefined;
}
