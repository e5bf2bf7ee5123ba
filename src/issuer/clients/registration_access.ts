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

/** Lets pass whom the operator let register: everybody, or whoever holds the initial access token (RFC 7591, section 1.2). */
export async function checkInitialAccess(ctx: Context, request: Request): Promise<void> {
  const { registration } = ctx.settings;
  if (registration === undefined || registration === "open") return;
  const tokenHash = await sha256(registration.initialAccessToken);
  await checkToken(request, tokenHash);
}

/** Finds a client by its registration access token, which is good for this client alone (RFC 7592, section 2). */
export async function findByRegistrationToken(ctx: Context, request: Request, id: string): Promise<RegistrationAccess> {
  const client = await ctx.records.clients.find(id);
  const registration = client?.disabled ? undefined : client?.registration;
  const token = await checkToken(request, registration?.tokenHash);
  if (!client || !registration) throw refuseAccess();
  return { client: { ...client, registration }, token };
}

/**
 * The same work and the same answer, whether there is no such client or the token is wrong. Tries are
 * not counted: nobody guesses 256 bits, and a limit would only help to keep the right ones out.
 */
async function checkToken(request: Request, tokenHash: string | undefined): Promise<string> {
  const { token } = readPresentedToken(request.headers.get("Authorization"), undefined, demand);
  if (await hasHash(token, tokenHash)) return token;
  throw refuseAccess();
}

export function refuseAccess(): OAuthError {
  return new OAuthError("invalid_token", "The token is not one for this registration, or the client is gone.", {
    see: "RFC 7592, section 3",
    challenges: [{ scheme: "Bearer", namesError: true }],
  });
}

const demand: Demand = { schemes: ["Bearer"], algs: [] };
