import { hmacSha256 } from "../../protocol/digest.ts";
import type { Settings } from "../../config/settings.ts";
import { once } from "../../config/once.ts";
import { randomSecret } from "../random.ts";
import type { Records } from "../records/records.ts";
import type { Seal } from "./seal.ts";
import { forever } from "../records/table.ts";

/** Derives a text from another one, for one purpose. Only processes that share the store can, and nobody can invert it. */
export type Derive = (purpose: Purpose, from: string) => Promise<string>;

type Purpose = "refresh-token" | "subject" | "session" | "dpop-nonce" | "user-code" | "guess";

export function createDerive(settings: Settings, records: Records, seal: Seal): Derive {
  const key = once(async () => {
    const bytes = new TextEncoder().encode(await seal.open(await ownSecret(settings, records, seal), ownSecretPlace));
    return await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  });
  return async (purpose, from) => await hmacSha256(await key(), `${purpose}\n${from}`);
}

export const ownSecretPlace = "secret own";

/** The secret of the process that was first on this store. */
async function ownSecret(settings: Settings, records: Records, seal: Seal): Promise<string> {
  const known = await records.secrets.find("own");
  if (known !== undefined) return known;
  await records.secrets.add("own", await seal.close(randomSecret({ settings }), ownSecretPlace), forever);
  return (await records.secrets.find("own"))!;
}
