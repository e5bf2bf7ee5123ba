import type { RegisteredClient } from "../../protocol/client.ts";
import { hasHash, sha256 } from "../../protocol/digest.ts";
import { OAuthError } from "../../protocol/oauth_error.ts";
import type { Demand } from "../../protocol/presented_token.ts";
import { readPresentedToken } from "../../protocol/presented_token.ts";
import type { Context } from "../context.ts";

/** A client, and the token that gives access to its registration. */
export interface RegistrationAccess {
  client: RegisteredClient;
  token: string;
}

/** Checks the initial access token where the server asks for one; returns whether it does (RFC 7591, section 1.2). */
export async function checkInitialAccess(ctx: Context, request: Request): Promise<boolean> {
  const { initialAccessToken } = ctx.settings.registration;
  if (initialAccessToken === undefined) return false;
  await checkToken(ctx, request, "registration", await sha256(initialAccessToken));
  return true;
}

/** Finds a client by its registration access token, which is good for this client alone (RFC 7592, section 2). */
export async function findByRegistrationToken(ctx: Context, request: Request, id: string): Promise<RegistrationAccess> {
  const client = await ctx.records.clients.find(id);
  const registration = client?.disabled ? undefined : client?.registration;
  const token = await checkToken(ctx, request, `registration of ${id}`, registration?.tokenHash);
  if (!client || !registration) throw refuseAccess();
  return { client: { ...client, registration }, token };
}

/** The same work and the same answer, whether there is no such client or the token is wrong. */
async function checkToken(ctx: Context, request: Request, of: string, tokenHash: string | undefined): Promise<string> {
  const { token } = readPresentedToken(request.headers.get("Authorization"), undefined, demand);
  const found = await ctx.throttle.guard({ of, from: ctx.addressOf(request) }, async () => {
    const matches = await hasHash(token, tokenHash);
    return { found: matches ? token : undefined, wrongSecret: !matches };
  });
  if (found === undefined) throw refuseAccess();
  return found;
}

export function refuseAccess(): OAuthError {
  return new OAuthError("invalid_token", "The token is not one for this registration, or the client is gone.", {
    see: "RFC 7592, section 3",
    challenges: [{ scheme: "Bearer", namesError: true }],
  });
}

const demand: Demand = { schemes: ["Bearer"], algs: [] };
