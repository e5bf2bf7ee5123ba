/** The parts of Node's `crypto` that we use. A runtime may lack some of them. */
export interface NativeCrypto {
  hash?(name: string, text: string, encoding: "base64url"): string;
  createPrivateKey?(source: { key: object; format: "jwk" }): object;
  createHmac?(name: string, key: string): NativeHmac;
  randomFillSync?(bytes: Uint8Array): void;
  sign?: NativeSign;
}

interface NativeSign {
  (hash: string | null, data: Uint8Array, key: object): Uint8Array;
  /** Signs on another thread. */
  (
    hash: string | null,
    data: Uint8Array,
    key: object,
    done: (cause: Error | null, signature: Uint8Array) => void,
  ): void;
}

interface NativeHmac {
  update(text: string): NativeHmac;
  digest(encoding: "base64url"): string;
}

interface Process {
  getBuiltinModule?(name: "crypto"): NativeCrypto;
}

/**
 * Node's `crypto` on Node, Bun and Deno; empty elsewhere. Web Crypto works everywhere, but visits
 * another thread for every few bytes.
 */
export const nativeCrypto: NativeCrypto =
  (globalThis as { process?: Process }).process?.getBuiltinModule?.("crypto") ?? {};
