import type { Settings } from "../../config/settings.ts";
import { hmacSha256 } from "../../util/hash.ts";
import { once } from "../../util/promises.ts";
import { randomSecret } from "../random.ts";
import type { Records } from "../records/records.ts";
import { forever } from "../records/table.ts";
import type { EncryptionAtRest } from "./encryption_at_rest.ts";

/** Derives a text from another one, for one purpose. Only processes that share the store can, and nobody can invert it. */
export type DeriveSecret = (purpose: DerivationPurpose, from: string) => Promise<string>;

type DerivationPurpose =
  | "refresh-token"
  | "subject"
  | "session"
  | "dpop-nonce"
  | "user-code"
  | "guess";

export function createDerive(
  settings: Settings,
  records: Records,
  encryption: EncryptionAtRest,
): DeriveSecret {
  const key = once(async () => {
    const bytes = new TextEncoder().encode(
      await encryption.decrypt(await ownSecret(settings, records, encryption), ownSecretPlace),
    );
    return await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
    ]);
  });
  return async (purpose, from) => await hmacSha256(await key(), `${purpose}\n${from}`);
}

export const ownSecretPlace = "secret own";

/** The secret of the process that was first on this store. */
async function ownSecret(
  settings: Settings,
  records: Records,
  encryption: EncryptionAtRest,
): Promise<string> {
  const known = await records.secrets.find("own");
  if (known !== undefined) return known;
  await records.secrets.add(
    "own",
    await encryption.encrypt(randomSecret({ settings }), ownSecretPlace),
    forever,
  );
  return (await records.secrets.find("own"))!;
}
