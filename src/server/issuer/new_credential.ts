import { randomSecret, type RandomSource } from "./random.ts";

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

/** Where the values of new credentials come from. */
interface CredentialSource extends RandomSource {
  chooseCredential?: ChooseCredential | undefined;
}

/** Returns the value of a new credential: random, unless what wraps the server chooses it. */
export async function newCredential(
  ctx: CredentialSource,
  name: CredentialName,
  clientId?: string,
): Promise<string> {
  const chosen = ctx.chooseCredential && await ctx.chooseCredential(name, clientId);
  return chosen ?? randomSecret(ctx);
}
