import { importJWK, type JWK } from "jose";
import { findClient } from "../../../server/issuer/clients/clients.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { hmacKey } from "../../../server/issuer/keys/secrets_at_rest.ts";
import { privateKeyMembers } from "../../../server/protocol/client_key.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { demoIssuerKey, demoKey } from "../../demo/demo_keys.ts";
import { type DecodedJwt, readJwt } from "../../recording/credentials.ts";
import { isSignedBy } from "../../tokens/signed_tokens.ts";

/** A key that signs, and the one that verifies: the same for a secret. */
interface ProvenKey {
  sign: CryptoKey | Uint8Array;
  verify: CryptoKey | Uint8Array;
}

/** Where a signed JWT comes from. */
export interface SignedSource {
  lab: CoreLab;
  /** The context of the server that the JWT goes to. */
  context: Context;
  /** The client whose secret may be the key. */
  clientId: string | undefined;
  /** The private keys that the test gave. */
  privateKeys: readonly JWK[];
}

/** Finds the key that signed a JWT among those that the lab has and those that the test gave. */
export async function findSigningKey(
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

async function secretsOf({ context, clientId }: SignedSource): Promise<ProvenKey[]> {
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
  const labs = [lab, ...lab.tenants.ids().map((id) => lab.tenants.find(id))];
  const signer = labs.find((each) => each.issuer === issuer);
  const key = await signer?.context.keys.find(String(kid));
  return key && { sign: await key.privateKey(), verify: await key.publicKey() };
}
