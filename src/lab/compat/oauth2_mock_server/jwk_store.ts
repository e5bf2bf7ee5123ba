import { exportJWK, generateKeyPair, importJWK } from "jose";
import { privateKeyMembers } from "../../../server/protocol/client_key.ts";
import type { StoredJwk } from "./types.ts";

/** The algorithms that a key may sign with. */
const algorithms: readonly string[] = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** The options of a new key. */
export interface GenerateOptions {
  /** The id of the key; random by default. */
  kid?: string;
  /** The curve of a key for EdDSA. */
  crv?: string;
}

/** The keys of an issuer. Its interface is that of oauth2-mock-server. */
export class JWKStore {
  #keys: StoredJwk[] = [];
  #next = 0;
  #onChange: () => void = () => {};

  /** Makes a key and adds it. */
  async generate(alg: string, { kid, crv }: GenerateOptions = {}): Promise<StoredJwk> {
    if (crv !== undefined && alg === "EdDSA" && crv !== "Ed25519") {
      throw new Error(
        "Invalid or unsupported crv option provided, supported values are: Ed25519",
      );
    }
    const { privateKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = await exportJWK(privateKey);
    return this.#keep({ ...jwk, kid: kid ?? crypto.randomUUID(), alg });
  }

  /** Adds a private key. It replaces one with the same `kid`. */
  async add(maybeJwk: Record<string, unknown>): Promise<StoredJwk> {
    const { alg, kid } = maybeJwk;
    if (!("alg" in maybeJwk)) throw new Error('Unspecified JWK "alg" property');
    if (typeof alg !== "string" || !algorithms.includes(alg)) {
      throw new Error(`Unsupported JWK "alg" value ("${alg}")`);
    }
    if (maybeJwk.d === undefined) {
      throw new Error('Invalid JWK type. No "private" key related data has been found.');
    }
    const jwk = { ...maybeJwk, kid: typeof kid === "string" ? kid : crypto.randomUUID(), alg };
    await importJWK(jwk, alg);
    return this.#keep(jwk);
  }

  /** Returns the key with a `kid`; without one, the keys take turns. */
  get(kid?: string): StoredJwk | undefined {
    if (kid !== undefined) return this.#keys.find((key) => key.kid === kid);
    return this.#keys[this.#next++ % Math.max(1, this.#keys.length)];
  }

  /** Returns copies of all keys; of their public members, unless the private ones are wanted. */
  toJSON(includePrivateFields = false): StoredJwk[] {
    return this.#keys.map((key) => includePrivateFields ? { ...key } : publicMembersOf(key));
  }

  /** Calls back after each change. */
  onChange(callback: () => void): void {
    this.#onChange = callback;
  }

  #keep(jwk: StoredJwk): StoredJwk {
    this.#keys = [...this.#keys.filter(({ kid }) => kid !== jwk.kid), jwk];
    this.#next = 0;
    this.#onChange();
    return jwk;
  }
}

function publicMembersOf(jwk: StoredJwk): StoredJwk {
  const members = Object.entries(jwk).filter(([name]) => !privateKeyMembers.includes(name));
  return Object.fromEntries(members) as StoredJwk;
}
