import { encodeBase64url } from "../util/bytes/encoding.ts";

interface RandomSource {
  settings: { randomBytes: (count: number) => Uint8Array };
}

/** The name on the wire of what the server makes a value for: `code`, or what a feature issues. */
export type CredentialName = string;

/**
 * Chooses the value of a new credential of a client; undefined leaves it random. The successor of a
 * presented refresh token is the same each time that a client presents a used one.
 */
export type ChooseCredential = (
  name: CredentialName,
  clientId: string | undefined,
  presented?: string,
) => Promise<string | undefined>;

/** Returns 256 random bits in base64url, for secrets (OAuth 2.1, section 7.7, asks for 160). */
export function randomSecret({ settings }: RandomSource): string {
  return encodeBase64url(settings.randomBytes(32));
}

/** Returns an identifier that need not be secret but must be unique. */
export function randomId({ settings }: RandomSource): string {
  return encodeBase64url(settings.randomBytes(16));
}

/** Returns the value of a new credential: random, unless what wraps the server chooses it. */
export async function newCredential(
  ctx: RandomSource & {
    hooks: { chooseCredential?: ChooseCredential | undefined };
  },
  name: CredentialName,
  clientId?: string,
): Promise<string> {
  const chosen = ctx.hooks.chooseCredential && await ctx.hooks.chooseCredential(name, clientId);
  return chosen ?? randomSecret(ctx);
}
