import type { Context } from "../../server/issuer/context.ts";
import type { Client } from "../../server/model/client.ts";
import { logoutTokens } from "../features/backchannel_logout/tokens.ts";

type SignToken = (ctx: Context, client: Client, subject: string) => Promise<string>;

/** The kinds of tokens that no token response has, and what signs one about a subject. */
export const addedTokens: Readonly<Record<string, SignToken>> = {
  ...logoutTokens,
};
