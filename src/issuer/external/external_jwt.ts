import { compactVerify, decodeProtectedHeader, type JWK } from "jose";
import { OutboundError } from "../../http/outbound_fetch.ts";
import type { Client } from "../../model/client.ts";
import { secretAlgorithms } from "../../model/signing.ts";
import { isJwtType } from "../../protocol/jwt.ts";
import { isObject, parseJson } from "../../util/json.ts";
import type { Context } from "../context.ts";
import { clientSecretPlace } from "../keys/seal_secret.ts";
import type { KeyHolder, KeySearch } from "./external_keys.ts";

/** What a JWT of somebody else says, once its signature was found good; or what is wrong with it. */
export type ExternalJwtResult = { claims: Readonly<Record<string, unknown>> } | { problem: string };

/** Whoever signed a JWT, with what is known to verify it. */
export type JwtSigner = KeyHolder & Pick<Client, "encryptedSecret">;

/** What the header of a JWT may say. Who reads it names both, so that neither comes from the JWT alone. */
export interface ExpectedJwt {
  algorithms: readonly string[];
  types: ReadonlyArray<string | undefined>;
  /** The network that sends the JWT: it pays for keys that have to be fetched. */
  sender?: string;
}

/** Verifies what a client, or an issuer that is trusted, signed with one of its keys, or with its secret (RFC 7515, section 5.2). Times and audience are for the caller. */
export async function verifyExternalJwt(
  ctx: Context,
  signer: JwtSigner,
  jwt: string,
  { algorithms, types, sender }: ExpectedJwt,
): Promise<ExternalJwtResult> {
  const header = readHeader(jwt);
  if (!header) return { problem: "it is not a signed JWT" };
  const { alg, kid, typ } = header;
  if (!algorithms.includes(alg)) {
    return { problem: `its 'alg' is '${alg.slice(0, 16)}', not one of: ${algorithms.join(", ")}` };
  }
  if (!isJwtType(typ, types)) {
    return {
      problem: `its 'typ' is '${String(typ).slice(0, 32)}', not one of: ${
        types.filter(Boolean).join(", ")
      }`,
    };
  }
  const keys = await keysFor(ctx, signer, { alg, kid, sender });
  if (!keys) return { problem: "the keys for it could not be fetched" };
  for (const key of keys) {
    const claims = await claimsBy(key, jwt, alg);
    if (claims) return { claims };
  }
  return { problem: "its signature fits no key of the one it names" };
}

function readHeader(jwt: string): { alg: string; kid?: string; typ?: string } | undefined {
  try {
    const { alg, kid, typ } = decodeProtectedHeader(jwt);
    return typeof alg === "string" ? { alg, kid, typ } : undefined;
  } catch {
    return undefined;
  }
}

async function keysFor(
  ctx: Context,
  signer: JwtSigner,
  search: KeySearch,
): Promise<Array<JWK | Uint8Array> | undefined> {
  if (secretAlgorithms.includes(search.alg)) {
    if (signer.encryptedSecret === undefined) return [];
    return [
      new TextEncoder().encode(
        await ctx.encryption.decrypt(signer.encryptedSecret, clientSecretPlace(signer.id)),
      ),
    ];
  }
  try {
    return await ctx.externalKeys.find(signer, search);
  } catch (cause) {
    if (cause instanceof OutboundError) return undefined;
    throw cause;
  }
}

/** Both the key and the JWT may be anything. Nothing here asks the outside, so whatever fails is their fault. */
async function claimsBy(
  key: JWK | Uint8Array,
  jwt: string,
  alg: string,
): Promise<Record<string, unknown> | undefined> {
  try {
    const { payload } = await compactVerify(jwt, key, { algorithms: [alg] });
    const claims = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(payload));
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
