import type { Context } from "../../server/issuer/context.ts";
import { forever } from "../../server/issuer/records/table.ts";
import type { TokenDraft } from "../tokens/signed_tokens.ts";

const alg = "RS256";

/**
 * Returns the id of a key that is published like the others, and signs only what names it. A lab
 * whose owner configured the keys has no further one.
 */
export async function ownKeyId({ keys }: Context): Promise<string> {
  const { kid: active } = await keys.active(alg);
  const isOwn = (key: { alg: string; from?: number | undefined }) =>
    key.alg === alg && key.from === forever;
  const own = (await keys.list()).find(isOwn) ??
    await keys.extend(alg, (ordered) => ordered.some(isOwn) ? undefined : forever);
  return own?.kid ?? (await configuredKeyIds(keys)).find((kid) => kid !== active) ?? active;
}

async function configuredKeyIds(keys: Context["keys"]): Promise<string[]> {
  return (await keys.configured()).filter((key) => key.alg === alg).map(({ kid }) => kid);
}

/** Returns an ID token that names its own key, which then signs it. */
export async function withOwnKey(ctx: Context, draft: TokenDraft): Promise<TokenDraft> {
  if (draft.header.alg !== alg) return draft;
  return { ...draft, header: { ...draft.header, kid: await ownKeyId(ctx) } };
}
