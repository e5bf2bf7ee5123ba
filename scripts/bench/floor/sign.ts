import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";

type Signer = (text: string) => string | Promise<string>;

const signLater = promisify(sign);
const encoder = new TextEncoder();

/**
 * Returns the cheapest way to sign with an algorithm on this runtime. RSA takes ten times as long
 * as the rest of a request, so it leaves the thread where the runtime can do that.
 */
export async function createSigner(alg: string): Promise<Signer> {
  const header = base64url(JSON.stringify({ alg, typ: "at+jwt", kid: "a-key-id" }));
  const signature = await signatureFunction(alg);
  return (payload) => {
    const signed = `${header}.${base64url(payload)}`;
    const bytes = signature(encoder.encode(signed));
    if (bytes instanceof Promise) return bytes.then((later) => joined(signed, later));
    return joined(signed, bytes);
  };
}

function joined(signed: string, bytes: Uint8Array): string {
  return `${signed}.${Buffer.from(bytes).toString("base64url")}`;
}

type SignatureFunction = (data: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>;

async function signatureFunction(alg: string): Promise<SignatureFunction> {
  if (alg === "ES256" && "Deno" in globalThis) return await elliptic();
  const privateKey = keyOf(alg);
  if (alg === "RS256") return (data) => signLater("sha256", data, privateKey);
  if (alg === "EdDSA") return (data) => sign(null, data, privateKey);
  // Node takes twice as long for a key with options, such as the one for the encoding of a JWT.
  return (data) => sign("sha256", data, privateKey);
}

/** On Deno, `node:crypto` takes longer for this algorithm than Web Crypto. */
async function elliptic(): Promise<SignatureFunction> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  return async (data) => new Uint8Array(await crypto.subtle.sign(algorithm, privateKey, data));
}

function keyOf(alg: string): KeyObject {
  const options = { format: "jwk" } as const;
  if (alg === "RS256") {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    return createPrivateKey({ key: privateKey.export(options), ...options });
  }
  if (alg === "EdDSA") return generateKeyPairSync("ed25519").privateKey;
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

function base64url(text: string): string {
  return Buffer.from(text).toString("base64url");
}
