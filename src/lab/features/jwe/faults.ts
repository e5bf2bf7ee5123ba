import { lazyModule } from "../../../server/util/lazy_module.ts";
import { readJwt } from "../../recording/credentials.ts";
import {
  type ResponsePart,
  sentCallback,
  sentIdToken,
  sentUserinfo,
} from "../../responses/part.ts";
import { type SealedText, sealedTextOf } from "../../tokens/sealed.ts";
import type { FaultKind } from "../faults/fault.ts";
import { changing } from "../faults/fault_kinds.ts";

/** What can be wrong with the encryption of anything that a client gets. */
export type EncryptionForgery = "unencrypted" | "encrypted_unsigned";

/** What can be wrong with the encryption of an ID token. */
export type IdTokenEncryptionForgery =
  | "encrypted_for_other_key"
  | "wrong_encryption_alg"
  | "wrong_encryption_enc"
  | "compressed";

/** The name of a fault in how something is encrypted: `"id_token.unencrypted"`. */
export type EncryptionFaultName =
  | `${"id_token" | "userinfo" | "jarm"}.${EncryptionForgery}`
  | `id_token.${IdTokenEncryptionForgery}`;

/** One way to encrypt wrongly. */
interface WrongEncryption {
  /** What is wrong, after "The ID token". */
  what: string;
  change(sealed: SealedText): Promise<string>;
  /** Whether only a JWT can be encrypted like this, and not the claims of userinfo. */
  isOfJwt?: boolean;
}

const { encryptLike, encryptForOtherKey } = lazyModule(() => import("./encrypt_wrongly.ts"));

const ofAnything: Record<EncryptionForgery, WrongEncryption> = {
  unencrypted: {
    what: "is not encrypted, although the client registered for that",
    change: async ({ text }) => text,
  },
  encrypted_unsigned: {
    what: "is encrypted but not signed, as anyone can do with the public key of the client",
    async change({ text, key, header: { cty: _, ...header } }) {
      const claims = JSON.stringify(readJwt(text)?.claims);
      return await encryptLike({ key, header, text: claims });
    },
    isOfJwt: true,
  },
};

const ofIdTokens: Record<IdTokenEncryptionForgery, WrongEncryption> = {
  encrypted_for_other_key: {
    what: "is encrypted for another key under the kid of the client's",
    change: encryptForOtherKey,
  },
  wrong_encryption_alg: {
    what: "is encrypted with an algorithm (alg) that the client did not register",
    change: withHeader(({ alg = "" }) => ({ alg: otherAlg(alg) })),
  },
  wrong_encryption_enc: {
    what: "is encrypted with a content encryption (enc) that the client did not register",
    change: withHeader(({ enc }) => ({ enc: enc === "A256GCM" ? "A128GCM" : "A256GCM" })),
  },
  compressed: {
    what: "is compressed before it is encrypted: its zip is DEF",
    change: withHeader(() => ({ zip: "DEF" })),
  },
};

/** The faults in how something is encrypted, by name. */
export const encryptionFaults: Record<EncryptionFaultName, FaultKind> = {
  ...encrypting("id_token", sentIdToken, "ID token", { ...ofAnything, ...ofIdTokens }),
  ...encrypting("userinfo", sentUserinfo, "userinfo response", ofAnything),
  ...encrypting("jarm", sentCallback, "authorization response (JARM)", ofAnything),
};

/** Returns what a key that has one algorithm can be used with, too. */
function otherAlg(alg: string): string {
  if (alg.startsWith("RSA")) return alg === "RSA-OAEP" ? "RSA-OAEP-256" : "RSA-OAEP";
  return alg === "ECDH-ES+A128KW" ? "ECDH-ES+A256KW" : "ECDH-ES+A128KW";
}

function withHeader(
  change: (header: SealedText["header"]) => SealedText["header"],
): WrongEncryption["change"] {
  return async (sealed) => {
    const header = { ...sealed.header, ...change(sealed.header) };
    return await encryptLike({ ...sealed, header });
  };
}

/**
 * Creates a fault for each way to encrypt wrongly, which never fires for what is not encrypted.
 * `what` is the part in words.
 */
function encrypting<Kind extends string, Word extends string>(
  kind: Kind,
  part: ResponsePart<string>,
  what: string,
  forgeries: Readonly<Record<Word, WrongEncryption>>,
): Record<`${Kind}.${Word}`, FaultKind> {
  const kinds = Object.entries<WrongEncryption>(forgeries).map(([word, forgery]) => {
    const { change, isOfJwt = false } = forgery;
    const fault = changing(
      part,
      `The ${what} ${forgery.what}.`,
      async (text, { server }) => {
        const sealed = sealedTextOf(server.context, text);
        return sealed ? await change(sealed) : text;
      },
      (text, { server }) => {
        const sealed = sealedTextOf(server.context, text);
        return sealed !== undefined && (!isOfJwt || readJwt(sealed.text) !== undefined);
      },
    );
    // What else changes the text encrypts it correctly again.
    return [`${kind}.${word}`, { ...fault, breaksSignature: true }];
  });
  return Object.fromEntries(kinds);
}
