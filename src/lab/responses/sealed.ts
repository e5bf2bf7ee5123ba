import type { SealedText } from "../../server/issuer/server_hooks.ts";
import type { InternalServer } from "../../server/server.ts";

/** Returns what the server encrypted for a client, or any other text as it is. */
export function openSealed(server: InternalServer, text: string): string {
  return sealedTextOf(server, text)?.text ?? text;
}

/** Returns what the server has encrypted, and how; undefined for any other text. */
export function sealedTextOf({ context }: InternalServer, text: string): SealedText | undefined {
  return context.hooks.sealedTexts?.get(text);
}

/** Encrypts a text as the server encrypted what it replaces. */
export async function sealLike(
  server: InternalServer,
  replaced: string,
  text: string,
): Promise<string> {
  return await sealedTextOf(server, replaced)?.seal(text) ?? text;
}
