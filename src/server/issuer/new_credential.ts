import { randomSecret, type RandomSource } from "./random.ts";

/** What the server makes values for, by their names on the wire. */
export type CredentialName =
  | "code"
  | "access_token"
  | "refresh_token"
  | "device_code"
  | "user_code"
  | "client_id"
  | "client_secret"
  | "registration_access_token";

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
  return await ctx.chooseCredential?.(name, clientId) ?? randomSecret(ctx);
}
