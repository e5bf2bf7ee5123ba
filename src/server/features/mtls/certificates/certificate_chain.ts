import { type Certificate, equalBytes } from "./certificate.ts";
import { CertificateError } from "./certificate_error.ts";
import { isSignedBy } from "./certificate_signature.ts";

/** Two intermediate authorities are common. Each costs a signature to verify. */
const maxIntermediates = 5;

/**
 * Checks that one of the authorities vouches for the first certificate of a chain, which is that of
 * a client (RFC 5280, section 6.1). Each further certificate belongs to the issuer of the one before
 * it, as TLS sends them. That of the authority itself may be left out.
 *
 * @param now The time at which all of them have to be valid, in milliseconds.
 * @throws {CertificateError} No authority does.
 */
export async function verifyChain(
  [client, ...others]: readonly Certificate[],
  authorities: readonly Certificate[],
  now: number,
): Promise<void> {
  if (!client) throw new CertificateError("There is no certificate.");
  const intermediates = others.slice(0, maxIntermediates);
  const issuers = await findIssuers(client, intermediates, authorities);
  for (const each of [client, ...issuers]) checkUse(each, now);
  if (!client.use.signsMessages) throw refusal(client, "may not be used to sign messages");
  issuers.forEach(checkIssuer);
}

/**
 * Returns the issuers of a certificate up to an authority. Signatures are verified from there down,
 * so that a stranger's key verifies nothing.
 */
async function findIssuers(
  client: Certificate,
  [next, ...others]: readonly Certificate[],
  authorities: readonly Certificate[],
): Promise<Certificate[]> {
  const named = authorities.filter((authority) => isNamedBy(client, authority));
  for (const authority of named) {
    if (await isSignedBy(client, authority)) return [authority];
  }
  if (named.length > 0) throw refusal(client, "is not signed by the authority that it names");
  if (!next || !isNamedBy(client, next)) {
    throw refusal(client, "was issued by an authority that is not configured");
  }
  const issuers = await findIssuers(next, others, authorities);
  if (!await isSignedBy(client, next)) throw refusal(client, "is not signed by its issuer");
  return [next, ...issuers];
}

function isNamedBy({ issuerDer }: Certificate, { subjectDer }: Certificate): boolean {
  return equalBytes(issuerDer, subjectDer);
}

/** A purpose of an authority restricts all that it issues, as TLS libraries have it. */
function checkUse(certificate: Certificate, now: number): void {
  const { notBefore, notAfter, use } = certificate;
  if (now < notBefore) throw refusal(certificate, "is not valid yet");
  if (now > notAfter) throw refusal(certificate, "has expired");
  if (!use.authenticatesClients) throw refusal(certificate, "is not for clients of TLS");
  if (use.hasUnknownCondition) {
    throw refusal(certificate, "has a critical extension that is not supported");
  }
}

/** @param below How many authorities are between this one and the client. */
function checkIssuer(certificate: Certificate, below: number): void {
  const { isAuthority, signsCertificates, maxAuthorities } = certificate.use;
  if (!isAuthority || !signsCertificates) throw refusal(certificate, "is none of an authority");
  if (below > maxAuthorities) throw refusal(certificate, "allows fewer authorities below it");
}

function refusal({ subject }: Certificate, reason: string): CertificateError {
  return new CertificateError(`The certificate of '${subject}' ${reason}.`);
}
