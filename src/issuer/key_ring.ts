import type { JWK, JWTPayload } from "jose";
import { decodeProtectedHeader, importJWK, jwtVerify, SignJWT } from "jose";
import { hmacSha256 } from "../protocol/digest.ts";
import type { SigningAlgorithm } from "../protocol/signing.ts";
import type { Event } from "./events.ts";
import type { KeyMaker } from "./key_maker.ts";
import { randomId, randomSecret } from "./random.ts";
import type { Records } from "./records.ts";
import { forever } from "./records.ts";
import type { KeyRow } from "./rows.ts";
import type { Seal } from "./sealing.ts";

/** The server's keys: made when they are first needed, kept in the store, held ready here. */
export interface KeyRing {
  sign(alg: SigningAlgorithm, typ: string, claims: JWTPayload): Promise<string>;
  /** The claims of a JWT that this server signed and whose time has not run out. */
  verify(jwt: string, typ: string): Promise<JWTPayload | undefined>;
  /** The public keys (RFC 7517). */
  publicKeys(): Promise<JWK[]>;
  /** A text that follows from another one, and that only this server can make. */
  derive(from: string): Promise<string>;
  /** Makes the keys that signing will need, so that no request waits for them. */
  prepare(): Promise<void>;
}

interface ReadyKey {
  kid: string;
  alg: SigningAlgorithm;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  publicJwk: JWK;
}

interface Needs {
  issuer: string;
  records: Records;
  seal: Seal;
  makeKey: KeyMaker;
  /** The algorithms that clients are told of: each has a key among the public ones. */
  algs: readonly SigningAlgorithm[];
  now: () => number;
  emit: (event: Event) => void;
}

export function createKeyRing(needs: Needs): KeyRing {
  const { records, seal, now, emit } = needs;
  const ready = new Map<string, Promise<ReadyKey>>();
  const verified = createMemory<JWTPayload>();
  const first = new Map<SigningAlgorithm, Promise<ReadyKey>>();
  let hmacKey: Promise<CryptoKey> | undefined;

  function hold(row: KeyRow): Promise<ReadyKey> {
    const held = ready.get(row.kid) ?? seal.open(row.sealed).then(makeReady);
    ready.set(row.kid, held);
    return held;
  }

  /** Ten processes may start at once on an empty store: all of them use the key of the one that was first. */
  async function firstRow(id: string, make: () => Promise<KeyRow>): Promise<KeyRow> {
    const known = await records.keys.get(id);
    if (known) return known.value;
    const made = await make();
    if (await records.keys.add(id, made, forever)) {
      emit({ type: "key.made", kid: made.kid, alg: made.alg });
      return made;
    }
    return (await records.keys.get(id))!.value;
  }

  async function makeRow(alg: SigningAlgorithm): Promise<KeyRow> {
    const jwk = await needs.makeKey(alg);
    return { kid: jwk.kid!, alg, sealed: await seal.close(JSON.stringify(jwk)) };
  }

  function keyFor(alg: SigningAlgorithm): Promise<ReadyKey> {
    const known = first.get(alg) ?? firstRow(alg, () => makeRow(alg)).then(hold);
    first.set(alg, known);
    known.catch(() => first.delete(alg));
    return known;
  }

  async function prepare(): Promise<void> {
    await Promise.all(needs.algs.map(keyFor));
  }

  async function allKeys(): Promise<ReadyKey[]> {
    const rows = await records.keys.list();
    return await Promise.all(rows.map(([, row]) => row).filter((row) => row.alg !== "HMAC").map(hold));
  }

  async function keyNamed(kid: string): Promise<ReadyKey | undefined> {
    return await ready.get(kid) ?? (await allKeys()).find((key) => key.kid === kid);
  }

  async function loadHmacKey(): Promise<CryptoKey> {
    const row = await firstRow("HMAC", async () => ({ kid: randomId(), alg: "HMAC", sealed: await seal.close(randomSecret()) }));
    const bytes = new TextEncoder().encode(await seal.open(row.sealed));
    return await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  }

  return {
    async sign(alg, typ, claims) {
      const { kid, privateKey } = await keyFor(alg);
      return await new SignJWT(claims).setProtectedHeader({ alg, typ, kid }).sign(privateKey);
    },
    async verify(jwt, typ) {
      const known = verified.recall(`${typ} ${jwt}`);
      if (known) return Number(known.exp) * 1000 > now() ? known : undefined;
      const key = await keyNamed(kidOf(jwt));
      if (!key) return undefined;
      const options = { issuer: needs.issuer, typ, algorithms: [key.alg], currentDate: new Date(now()) };
      const claims = await jwtVerify(jwt, key.publicKey, options).then(({ payload }) => payload, () => undefined);
      if (claims) verified.keep(`${typ} ${jwt}`, claims);
      return claims;
    },
    publicKeys: async () => {
      await prepare();
      return (await allKeys()).map((key) => key.publicJwk);
    },
    derive: async (from) => await hmacSha256(await (hmacKey ??= loadHmacKey()), from),
    prepare,
  };
}

/** Tokens whose signature was found good: an API asks about the same one again and again. */
function createMemory<T>() {
  const most = 1000;
  const kept = new Map<string, T>();
  return {
    recall: (id: string) => kept.get(id),
    keep: (id: string, value: T) => {
      kept.set(id, value);
      if (kept.size > most) kept.delete(kept.keys().next().value!);
    },
  };
}

/** Which key a JWT claims to be signed with; "" where it is no JWT. */
function kidOf(jwt: string): string {
  try {
    return decodeProtectedHeader(jwt).kid ?? "";
  } catch {
    return "";
  }
}

async function makeReady(text: string): Promise<ReadyKey> {
  const jwk: JWK = JSON.parse(text);
  const publicJwk = publicPart(jwk);
  return {
    kid: jwk.kid!,
    alg: jwk.alg as SigningAlgorithm,
    privateKey: await importJWK(jwk) as CryptoKey,
    publicKey: await importJWK(publicJwk) as CryptoKey,
    publicJwk,
  };
}

/** Names what may be shown; a list of what to hide would one day miss a member. */
function publicPart({ kty, crv, x, y, n, e, kid, alg, use }: JWK): JWK {
  return JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, kid, alg, use }));
}
