import type { JWK } from "jose";
import { importJWK } from "jose";
import type { SigningAlgorithm } from "../protocol/signing.ts";
import { once } from "../config/once.ts";
import type { Settings } from "../config/settings.ts";
import type { Event } from "../config/events.ts";
import { randomId } from "./random.ts";
import type { Records } from "./records.ts";
import type { KeyRow } from "./rows.ts";
import type { Seal } from "./sealing.ts";
import { forever } from "./table.ts";

/** A key that is ready to be used. */
export interface SigningKey {
  kid: string;
  alg: SigningAlgorithm;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  /** What everybody may see (RFC 7517). */
  publicJwk: JWK;
}

/** The server's signing keys. They are made when they are first needed, and kept in the store. */
export interface Keys {
  /** The key that signs with an algorithm. */
  active(alg: SigningAlgorithm): Promise<SigningKey>;
  find(kid: string): Promise<SigningKey | undefined>;
  /** All keys that tokens may be signed with; among them one for each algorithm that clients are told of. */
  published(): Promise<SigningKey[]>;
  /** Makes the keys of all algorithms that clients are told of, so that no request waits for one. */
  prepare(): Promise<void>;
}

interface Needs {
  settings: Settings;
  records: Records;
  seal: Seal;
  emit: (event: Event) => void;
}

export function createKeys(needs: Needs): Keys {
  const { settings, records, seal } = needs;
  const loaded = new Map<string, Promise<SigningKey>>();
  const active = new Map(settings.idTokenAlgs.map((alg) => [alg, once(async () => await load(await firstRow(needs, alg)))]));

  function load(row: KeyRow): Promise<SigningKey> {
    const known = loaded.get(row.kid) ?? seal.open(row.sealed).then(toSigningKey);
    loaded.set(row.kid, known);
    known.catch(() => loaded.delete(row.kid));
    return known;
  }

  async function all(): Promise<SigningKey[]> {
    const rows = await records.keys.list();
    return await Promise.all(rows.map(([, row]) => load(row)));
  }

  const keys: Keys = {
    active: async (alg) => await (active.get(alg) ?? (async () => await load(await firstRow(needs, alg))))(),
    find: async (kid) => await loaded.get(kid) ?? (await all()).find((key) => key.kid === kid),
    published: async () => {
      await keys.prepare();
      return await all();
    },
    prepare: async () => void await Promise.all(settings.idTokenAlgs.map(keys.active)),
  };
  return keys;
}

/** Several processes may start at once on an empty store: all of them use the key of the one that was first. */
async function firstRow({ settings, records, seal, emit }: Needs, alg: SigningAlgorithm): Promise<KeyRow> {
  const known = await records.keys.find(alg);
  if (known) return known;
  const jwk = await settings.policies.makeKey(alg, randomId({ settings }));
  const row = { kid: jwk.kid!, alg, sealed: await seal.close(JSON.stringify(jwk)) };
  if (!await records.keys.add(alg, row, forever)) return (await records.keys.find(alg))!;
  emit({ type: "key.made", kid: row.kid, alg });
  return row;
}

async function toSigningKey(text: string): Promise<SigningKey> {
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
