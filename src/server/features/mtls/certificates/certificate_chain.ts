import { type Certificate, equalBytes } from "./certificate.ts";
import { isSignedBy } from "./certificate_signature.ts";
import { CertificateError } from "./der_reader.ts";

/** A certificate with its issuers, each behind the one that it signed. */
type CertificatePath = readonly [Certificate, ...Certificate[]];

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
  const paths = pathsOf([client, ...others.slice(0, maxIntermediates)], authorities);
  const reason = paths.length > 0
    ? "is not signed by the authority that it names"
    : "was issued by an authority that is not configured";
  let problem: unknown = refusal(client, reason);
  for (const path of paths) {
    try {
      if (await isSigned(path)) return checkPath(path, now);
    } catch (cause) {
      problem = cause;
    }
  }
  throw problem;
}

/**
 * Returns each path from a certificate to an authority, by their names alone. While an authority is
 * replaced, two have the same name: with other keys, or one in the settings and one in the chain.
 */
function pathsOf(
  [first, next, ...others]: CertificatePath,
  authorities: readonly Certificate[],
): CertificatePath[] {
  const named = authorities.filter((authority) => isNamedBy(first, authority));
  const above = next && isNamedBy(first, next) ? pathsOf([next, ...others], authorities) : [];
  return [
    ...named.map((authority): CertificatePath => [first, authority]),
    ...above.map((path): CertificatePath => [first, ...path]),
  ];
}

/** Verifies from the authority down, so that a stranger's key verifies nothing. */
async function isSigned([first, issuer, ...others]: CertificatePath): Promise<boolean> {
  return !issuer || await isSigned([issuer, ...others]) && await isSignedBy(first, issuer);
}

function checkPath([client, ...issuers]: CertificatePath, now: number): void {
  for (const each of [client, ...issuers]) checkUse(each, now);
  if (!client.use.signsMessages) throw refusal(client, "may not be used to sign messages");
  issuers.forEach(checkIssuer);
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
  if (use.constrainsNames) throw refusal(certificate, "has unsupported name constraints");
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
