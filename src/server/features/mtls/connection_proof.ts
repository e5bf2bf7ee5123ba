import { OutboundError } from "../../http/outbound_fetch.ts";
import type { RequestContext } from "../../issuer/context.ts";
import type { Client } from "../../model/client.ts";
import type { ClientAuthenticationMethod } from "../../model/client_config.ts";
import { sha256OfBytes } from "../../util/crypto/hash.ts";
import { type AlternativeNames, type Certificate, readCertificate } from "./certificate.ts";
import { isShortKey, verifyChain } from "./certificate_chain.ts";
import { type CertificateName, expectedNames, mtlsOf } from "./config.ts";
import { CertificateError } from "./der.ts";
import { normalizeName } from "./distinguished_name.ts";
import { peerCertificates } from "./peer_certificates.ts";
import { readPemCertificates } from "./pem_certificates.ts";

/** How much of a reason is logged, in characters: the names in a certificate can be long. */
const maxReasonLength = 200;

/** Where a certificate has what a client must have. */
const alternativeNames: Readonly<Record<CertificateName, keyof AlternativeNames | "subject">> = {
  tlsClientAuthSubjectDn: "subject",
  tlsClientAuthSanDns: "dns",
  tlsClientAuthSanUri: "uri",
  tlsClientAuthSanIp: "ip",
  tlsClientAuthSanEmail: "email",
};

/** Returns the SHA-256 of the sender's certificate, which a token is bound to. */
export async function thumbprint(ctx: RequestContext): Promise<string | undefined> {
  const [own] = peerCertificates(ctx);
  return own && await sha256OfBytes(own);
}

/** Returns why the certificate of the sender does not authenticate a client. */
export async function problemOf(
  ctx: RequestContext,
  client: Client,
  method: ClientAuthenticationMethod,
): Promise<string | undefined> {
  try {
    const [own, ...others] = peerCertificates(ctx).map(readCertificate);
    if (!own) return "its connection has no certificate";
    if (isShortKey(own.publicKey)) return "its certificate has an RSA key of less than 2048 bits";
    return method === "tls_client_auth"
      ? await vouchedProblem(ctx, client, [own, ...others])
      : await registeredProblem(ctx, client, own);
  } catch (cause) {
    if (cause instanceof OutboundError) return "its certificates could not be fetched";
    if (cause instanceof CertificateError) {
      return cause.message.slice(0, maxReasonLength).replace(/\.$/, "");
    }
    throw cause;
  }
}

/** An authority vouches for the certificate, which has the name of the client (section 2.1). */
async function vouchedProblem(
  ctx: RequestContext,
  client: Client,
  chain: readonly [Certificate, ...Certificate[]],
): Promise<string | undefined> {
  const [expected, another] = expectedNames(client);
  if (!expected || another || !hasName(chain[0], expected)) {
    return "its certificate does not have the name of the client";
  }
  await verifyChain(chain, await authoritiesOf(ctx), ctx.now());
  return undefined;
}

function hasName(
  { subject, sans }: Certificate,
  [setting, name]: [setting: CertificateName, name: string],
): boolean {
  const where = alternativeNames[setting];
  if (where === "subject") return subject === normalizeName(name);
  return sans[where].includes(where === "dns" ? name.toLowerCase() : name);
}

/** Reads the authorities. A malformed one fails every request, so that it is not overlooked. */
async function authoritiesOf({ settings }: RequestContext): Promise<readonly Certificate[]> {
  const { authorities = "" } = mtlsOf(settings) ?? {};
  const pem = typeof authorities === "string" ? authorities : await authorities();
  return (readPemCertificates(pem) ?? []).map(readCertificate);
}

/** The certificate is among those that the client registered or publishes (section 2.2). */
async function registeredProblem(
  ctx: RequestContext,
  client: Client,
  { der, notBefore, notAfter }: Certificate,
): Promise<string | undefined> {
  if (ctx.now() < notBefore || ctx.now() > notAfter) return "its certificate is not valid now";
  const isRegistered = await ctx.keys.external.hasCertificate(client, der, ctx.sender);
  return isRegistered ? undefined : "its certificate is not registered";
}
