import {
  type CompactJWEHeaderParameters,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWK,
} from "jose";
import { compactDecrypt } from "jose/jwe/compact/decrypt";
import { CompactEncrypt } from "jose/jwe/compact/encrypt";
import { OutboundError } from "../../http/outbound_fetch.ts";
import type { Context } from "../../issuer/context.ts";
import type { SigningKey } from "../../issuer/keys/signing_key.ts";
import type { Client } from "../../model/client.ts";
import type { DecryptionAlgorithm, KeyAlgorithm } from "../../model/signing.ts";
import { requirePresent, ruleSet } from "../../protocol/rule.ts";
import { encodeUtf8 } from "../../util/bytes/encoding.ts";
import {
  choiceOf,
  contentAlgorithms,
  type ContentEncryption,
  keyAlgorithms,
  offered,
} from "./config.ts";

const about = { see: "OpenID Connect Core, section 10.2", error: "invalid_request" } as const;

const encryptionRules = ruleSet("encryption", about, {
  key: {
    title: "The client must publish a key for the encryption that it asked for",
    fix: "Publish a key of the algorithm's type with the use 'enc' in the client's key set.",
  },
});

/** How something is encrypted for a client. */
interface EncryptionChoice {
  alg: DecryptionAlgorithm;
  enc: ContentEncryption;
}

/** Makes a key with which clients can encrypt for the server. */
export async function makeDecryptionKey(alg: KeyAlgorithm, kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...await exportJWK(privateKey), alg, use: "enc", kid };
}

/**
 * Encrypts a text with a key of the client (RFC 7516, section 7.1). Without one that works, the
 * client gets an error and never the plain text.
 */
export async function seal(
  ctx: Context,
  client: Client,
  choice: EncryptionChoice,
  text: string,
): Promise<string> {
  const key = await findKey(ctx, client, choice.alg);
  const sealed = key && await encrypt(key, headerOf(key, choice, text), text);
  return requirePresent(ctx.apply, encryptionRules.key, sealed);
}

function headerOf(key: JWK, { alg, enc }: EncryptionChoice, text: string) {
  const isJwt = !text.startsWith("{");
  return {
    alg,
    enc,
    ...key.kid !== undefined && { kid: key.kid },
    ...isJwt && { cty: "JWT" },
  };
}

/** Returns undefined if a key cannot encrypt: it is too short, or on no curve. */
async function encrypt(
  key: JWK,
  header: CompactJWEHeaderParameters,
  text: string,
): Promise<string | undefined> {
  try {
    return await new CompactEncrypt(encodeUtf8(text)).setProtectedHeader(header).encrypt(key);
  } catch {
    return undefined;
  }
}

export async function findKey(
  ctx: Context,
  client: Client,
  alg: DecryptionAlgorithm,
): Promise<JWK | undefined> {
  try {
    const keys = await ctx.keys.external.find(client, { alg, sender: ctx.sender });
    return keys.find(({ use }) => use === "enc") ?? keys[0];
  } catch (cause) {
    if (cause instanceof OutboundError) return undefined;
    throw cause;
  }
}

/**
 * Decrypts what a client sent. A wrong key, a wrong algorithm and a changed text are all the same
 * to the caller, so that no answer helps to decrypt another text. A parameter has 16 kB at
 * most.
 */
export async function open(
  ctx: Context,
  client: Client,
  text: string,
): Promise<string | undefined> {
  const { alg, kid } = readHeader(text);
  const key = await findOwnKey(ctx, alg, kid);
  // A key that signs decrypts nothing, and a key for another algorithm not this.
  if (!key || key.alg !== alg) return undefined;
  const chosen = choiceOf(client, "requestObject");
  try {
    const { plaintext } = await compactDecrypt(text, await key.privateKey(), {
      keyManagementAlgorithms: [chosen.alg ?? key.alg],
      contentEncryptionAlgorithms: chosen.enc
        ? [chosen.enc]
        : offered(ctx.settings, contentAlgorithms),
      // A short text must not become a long one.
      maxDecompressedLength: 0,
    });
    return new TextDecoder("utf-8", { fatal: true }).decode(plaintext);
  } catch {
    return undefined;
  }
}

function readHeader(text: string): {
  /** Undefined if this server has no keys for it. */
  alg?: DecryptionAlgorithm | undefined;
  kid?: string | undefined;
} {
  try {
    const { alg, kid } = decodeProtectedHeader(text);
    return { alg: keyAlgorithms.find((each) => each === alg), kid };
  } catch {
    return {};
  }
}

/** Finds the key that a text was encrypted for; without a `kid`, the current one. */
async function findOwnKey(
  ctx: Context,
  alg: DecryptionAlgorithm | undefined,
  kid: string | undefined,
): Promise<SigningKey | undefined> {
  if (alg === undefined || !offered(ctx.settings, keyAlgorithms).includes(alg)) return undefined;
  return kid === undefined ? await ctx.keys.active(alg) : await ctx.keys.find(kid);
}
