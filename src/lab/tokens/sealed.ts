import type { JWEHeaderParameters, JWK } from "jose";
import { type Envelope, featuresOf } from "../../server/issuer/active_features.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { InternalServer } from "../../server/server.ts";
import type { BoundedMap } from "../../server/util/values/bounded_map.ts";

/** Encrypts as the server does, and remembers what: only the client could decrypt it. */
export interface RememberingEnvelope extends Envelope {
  /** What it encrypted, by what the client gets. */
  sealedTexts: BoundedMap<SealedText>;
}

/** What the server encrypted for a client. */
export interface SealedText {
  text: string;
  key: JWK;
  header: Readonly<JWEHeaderParameters>;
  /** Encrypts another text for the client in the same way. */
  seal(text: string): Promise<string>;
}

/** Returns what the server encrypted for a client, or any other text as it is. */
export function openSealed({ context }: InternalServer, text: string): string {
  return sealedTextOf(context, text)?.text ?? text;
}

/** Returns what the server has encrypted, and how; undefined for any other text. */
export function sealedTextOf(ctx: Context, text: string): SealedText | undefined {
  const envelope: Partial<RememberingEnvelope> | undefined = featuresOf(ctx).envelope;
  return envelope?.sealedTexts?.get(text);
}

/** Encrypts a text as the server encrypted what it replaces. */
export async function sealLike(
  { context }: InternalServer,
  replaced: string,
  text: string,
): Promise<string> {
  return await sealedTextOf(context, replaced)?.seal(text) ?? text;
}
