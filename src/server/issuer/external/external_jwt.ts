import { compactVerify, decodeProtectedHeader, type JWK } from "jose";
import { OutboundError } from "../../http/outbound_fetch.ts";
import type { ClientSecret } from "../../model/client.ts";
import { secretAlgorithms } from "../../model/signing.ts";
import { isJwtType, type JwtClaims, usableUntil } from "../../protocol/jwt.ts";
import { isObject, parseJson } from "../../util/text/json.ts";
import type { Context } from "../context.ts";
import { hmacKey } from "../keys/secrets_at_rest.ts";
import { joinId } from "../records/row_id.ts";
import type { TableCall } from "../records/store_calls.ts";
import { toMilliseconds } from "../time.ts";
import type { KeyQuery } from "./external_keys.ts";
import type { KeySource } from "./key_sets.ts";

/**
 * The claims of a verified JWT and the secret that signed it, if one did, or why it was refused.
 */
export type ExternalJwtResult =
  | { claims: JwtClaims; secret?: ClientSecret | undefined; problem?: undefined }
  | { claims?: undefined; problem: string };

/** The signer of an external JWT, with everything needed to verify a signature. */
export interface JwtSigner extends KeySource {
  secrets?: readonly ClientSecret[];
}

/** A key that may verify a signature. */
interface VerificationKey {
  key: JWK | Uint8Array;
  /** The secret, if the key is one. */
  secret?: ClientSecret;
}

/** The header values that the server accepts. A JWT must not choose its own algorithm. */
export interface ExpectedJwt {
  algorithms: readonly string[];
  types: ReadonlyArray<string | undefined>;
}

interface JwtHeader {
  alg: string;
  kid: string | undefined;
  typ: string | undefined;
}

/** The issuer of an assertion. A client and a trusted issuer may have the same name. */
type AssertionIssuer = { client: string } | { issuer: string };

/**
 * Verifies a JWT that a client or a trusted issuer signed with a key, or a client with its secret
 * (RFC 7515, section 5.2). The caller checks the times and the audience.
 */
export async function verifyExternalJwt(
  ctx: Context,
  signer: JwtSigner,
  jwt: string,
  expected: ExpectedJwt,
): Promise<ExternalJwtResult> {
  const header = readHeader(jwt);
  if (!header) return { problem: "it is not a signed JWT" };
  const headerError = headerProblem(header, expected);
  if (headerError !== undefined) return { problem: headerError };
  const { alg, kid } = header;
  const keys = await keysOf(ctx, signer, { alg, kid, sender: ctx.sender });
  if (!keys) return { problem: "the keys for it could not be fetched" };
  for (const { key, secret } of keys) {
    const claims = await readClaims(key, jwt, alg);
    if (claims) return { claims, secret };
  }
  return { problem: "no key of its signer verifies its signature" };
}

/**
 * Returns the call that marks an assertion as used, because it is accepted once (RFC 7523, section
 * 3). It returns true to exactly one caller.
 */
export function assertionMark(
  { records }: Context,
  issuer: AssertionIssuer,
  claims: JwtClaims,
): TableCall<boolean> {
  // No client has an empty id.
  const issuerParts = "client" in issuer ? [issuer.client] : ["", issuer.issuer];
  const id = joinId(...issuerParts, String(claims.jti));
  return records.usedAssertions.calls.add(id, null, toMilliseconds(usableUntil(claims)));
}

function readHeader(jwt: string): JwtHeader | undefined {
  try {
    const { alg, kid, typ } = decodeProtectedHeader(jwt);
    return typeof alg === "string" ? { alg, kid, typ } : undefined;
  } catch {
    return undefined;
  }
}

function headerProblem(
  { alg, typ }: JwtHeader,
  { algorithms, types }: ExpectedJwt,
): string | undefined {
  if (!algorithms.includes(alg)) {
    return `its 'alg' is not one of: ${algorithms.join(", ")}`;
  }
  if (!isJwtType(typ, types)) {
    const expected = types.filter(Boolean).join(", ");
    return `its 'typ' is not one of: ${expected}`;
  }
  return undefined;
}

/** Returns the keys that may verify a signature, or undefined if they could not be fetched. */
async function keysOf(
  ctx: Context,
  signer: JwtSigner,
  query: KeyQuery,
): Promise<VerificationKey[] | undefined> {
  if (secretAlgorithms.includes(query.alg)) return await secretKeys(ctx, signer);
  try {
    return (await ctx.keys.external.find(signer, query)).map((key) => ({ key }));
  } catch (cause) {
    if (cause instanceof OutboundError) return undefined;
    throw cause;
  }
}

async function secretKeys(
  ctx: Context,
  { id, secrets = [] }: JwtSigner,
): Promise<VerificationKey[]> {
  const keys = secrets.map(async (secret) => ({ key: await hmacKey(ctx, id, secret), secret }));
  return (await Promise.all(keys)).flatMap(({ key, secret }) => key ? [{ key, secret }] : []);
}

/**
 * Returns the claims if the key verifies the signature. Nothing here uses the network, so any
 * failure is due to the key or the JWT, which both come from outside.
 */
async function readClaims(
  key: JWK | Uint8Array,
  jwt: string,
  alg: string,
): Promise<JwtClaims | undefined> {
  try {
    const { payload } = await compactVerify(jwt, key, { algorithms: [alg] });
    const claims = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(payload));
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
