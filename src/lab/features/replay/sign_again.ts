import { importJWK, type JWK } from "jose";
import { findClient } from "../../../server/issuer/clients/clients.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { hmacKey } from "../../../server/issuer/keys/secrets_at_rest.ts";
import { randomId } from "../../../server/issuer/random.ts";
import { privateKeyMembers } from "../../../server/protocol/client_key.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { demoIssuerKey, demoKey } from "../../demo/demo_keys.ts";
import { type DecodedJwt, readJwt } from "../../recording/credentials.ts";
import { parameterOf, type WireRequest } from "../../recording/exchange.ts";
import { isSignedBy, signJwt } from "../../tokens/signed_tokens.ts";
import { LabError } from "../../util/lab_error.ts";
import { withHeader, withParameter } from "./edited_request.ts";
import type { ChangedClaims, SignedChanges } from "./replay_changes.ts";

/** Where a signed JWT comes from. */
interface SignedSource {
  lab: CoreLab;
  /** The client whose secret may be the key. */
  clientId: string | undefined;
  /** The private keys that the test gave. */
  privateKeys: readonly JWK[];
}

/** Who signs the JWTs of a request again. */
export interface SigningAgain extends Omit<SignedSource, "privateKeys"> {
  /** How long ago they were signed, in seconds. */
  elapsed: number;
}

/** Returns a request whose JWTs claim something else. */
export async function withClaims(
  request: WireRequest,
  { claims = {}, privateKeys = [] }: SignedChanges,
  { elapsed, ...source }: SigningAgain,
): Promise<WireRequest> {
  let changed = request;
  for (const [name, own] of Object.entries(claims) as Array<[keyof ChangedClaims, object]>) {
    const jwt = name === "dpop" ? changed.headers.dpop : parameterOf(changed, name);
    if (jwt === undefined) throw new LabError(`The request has no '${name}' that can be signed.`);
    const key = await findSigningKey(jwt, { ...source, privateKeys });
    if (!key) throw new LabError(`The lab does not have the key that signed the '${name}'.`);
    const signed = await resign(jwt, key, {
      ...laterClaims(source.lab.context, jwt, elapsed),
      ...own,
    });
    changed = name === "dpop"
      ? withHeader(changed, name, signed)
      : withParameter(changed, name, [signed]);
  }
  return changed;
}

/**
 * Signs a JWT again with changed claims; `null` leaves one out. All else that was wrong about it
 * stays wrong.
 */
async function resign(
  jwt: string,
  key: ProvenKey["sign"],
  changes: Record<string, unknown>,
): Promise<string> {
  const { header = {}, claims = {} } = readJwt(jwt) ?? {};
  const kept = Object.entries({ ...claims, ...changes }).filter(([, value]) => value !== null);
  return await signJwt({ header, claims: Object.fromEntries(kept), key });
}

/** Returns a new id for a JWT that was signed a while ago, in seconds, and later times. */
function laterClaims(ctx: Context, jwt: string, elapsed: number): Record<string, unknown> {
  const { claims = {} } = readJwt(jwt) ?? {};
  const times = ["iat", "nbf", "exp"].flatMap((name) => {
    const time = claims[name];
    return typeof time === "number" ? [[name, time + elapsed] as const] : [];
  });
  return { ...claims.jti !== undefined && { jti: randomId(ctx) }, ...Object.fromEntries(times) };
}

/** A key that signs, and the one that verifies: the same for a secret. */
interface ProvenKey {
  sign: CryptoKey | Uint8Array;
  verify: CryptoKey | Uint8Array;
}

/** Finds the key that signed a JWT among those that the lab has and those that the test gave. */
async function findSigningKey(
  jwt: string,
  source: SignedSource,
): Promise<ProvenKey["sign"] | undefined> {
  const decoded = readJwt(jwt);
  const alg = String(decoded?.header.alg);
  for (const { sign, verify } of decoded ? await candidatesFor(decoded, alg, source) : []) {
    if (await isSignedBy(jwt, verify, alg)) return sign;
  }
  return undefined;
}

async function candidatesFor(
  { header, claims }: DecodedJwt,
  alg: string,
  source: SignedSource,
): Promise<ProvenKey[]> {
  if (alg.startsWith("HS")) return await secretsOf(source);
  const given = [...source.privateKeys, demoKey, demoIssuerKey];
  const imported = await Promise.all(given.map((jwk) => importPair(jwk, alg)));
  const own = await serverKey(source.lab, claims.iss, header.kid);
  return [...imported, own].filter((key) => key !== undefined);
}

async function secretsOf({ lab: { context }, clientId }: SignedSource): Promise<ProvenKey[]> {
  const client = clientId === undefined ? undefined : await findClient(context, clientId);
  const secrets = client?.secrets ?? [];
  const keys = await Promise.all(
    secrets.map((each) => hmacKey(context, String(clientId), each)),
  );
  return keys.flatMap((key) => key ? [{ sign: key, verify: key }] : []);
}

/** A key of another type cannot be imported for the algorithm. */
async function importPair(jwk: JWK, alg: string): Promise<ProvenKey | undefined> {
  const isPublic = ([name]: [string, unknown]) => !privateKeyMembers.includes(name);
  const publicJwk = Object.fromEntries(Object.entries(jwk).filter(isPublic)) as JWK;
  try {
    return { sign: await importJWK(jwk, alg), verify: await importJWK(publicJwk, alg) };
  } catch {
    return undefined;
  }
}

/** An ID-JAG was signed by the server of another tenant of the same lab. */
async function serverKey(
  lab: CoreLab,
  issuer: unknown,
  kid: unknown,
): Promise<ProvenKey | undefined> {
  const labs = [lab, ...lab.tenants.all()];
  const signer = labs.find((each) => each.issuer === issuer);
  const key = await signer?.context.keys.find(String(kid));
  return key && { sign: await key.privateKey(), verify: await key.publicKey() };
}
