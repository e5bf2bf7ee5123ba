import {
  makeAuthorization,
  storeAuthorization,
} from "../../server/issuer/authorizations/authorizations.ts";
import { findClient } from "../../server/issuer/clients/clients.ts";
import type { Context } from "../../server/issuer/context.ts";
import { randomId } from "../../server/issuer/random.ts";
import type { Authorization, Code } from "../../server/issuer/records/rows.ts";
import { fromNow, numericDate } from "../../server/issuer/time.ts";
import {
  issueIdToken,
  issueTokens,
  type TokenResponse,
} from "../../server/issuer/tokens/issue_tokens.ts";
import type { AccessRights } from "../../server/model/access_token.ts";
import { type Client, referenceTo } from "../../server/model/client.ts";
import type { User } from "../../server/model/user.ts";
import { findSubject, newSession } from "./mint_parties.ts";

/** What tokens allow that no request asked for, and whom they are about. */
export interface UnrequestedAccess extends AccessRights {
  /** The name or `sub` of a user, the id of the client itself, or any other text. */
  subject: string;
  /** Whether there is a refresh token. */
  hasRefresh: boolean;
  /** The thumbprint of the key that they are bound to. */
  jkt?: string | undefined;
}

/** Tokens that no request asked for. */
export interface UnrequestedTokens {
  response: TokenResponse;
  /** The `sub` by which the client knows whom they are about. */
  subject: string;
}

export interface IssuedCode {
  clientId: string;
  userName: string;
  scope: readonly string[];
  nonce: string | undefined;
}

/**
 * Issues tokens as if the user had just signed in with a password and allowed everything. Tokens
 * about an unknown subject have no stored authorization, so they are not active.
 */
export async function issueWithoutRequest(
  ctx: Context,
  client: Client,
  { subject, hasRefresh, jkt, ...access }: UnrequestedAccess,
): Promise<UnrequestedTokens> {
  if (subject === client.id) {
    return { response: await issueTokens(ctx, client, { ...access, jkt }), subject };
  }
  const user = await findSubject(ctx, subject);
  const otherGrantTypes = client.grantTypes.filter((type) => type !== "refresh_token");
  const grantTypes = hasRefresh ? [...otherGrantTypes, "refresh_token"] : otherGrantTypes;
  const receiver = { ...client, grantTypes };
  const authorization: Authorization = user ? await authorize(ctx, receiver, access, user) : {
    ...access,
    id: randomId(ctx),
    clientId: client.id,
    userName: subject,
    userSubject: subject,
    subject,
    authTime: numericDate(ctx),
    amr: ["pwd"],
    issuingUntil: fromNow(ctx, ctx.settings.lifetimes.refreshToken),
  };
  return {
    response: await issueTokens(ctx, receiver, { ...access, jkt, authorization }),
    subject: authorization.subject,
  };
}

/** Finds what a code was issued for, if the client can redeem it. */
export async function findIssuedCode(ctx: Context, code: string): Promise<IssuedCode | undefined> {
  const { row, authorization } = await findCode(ctx, code) ?? {};
  if (!authorization) return undefined;
  const { clientId, userName, scope } = authorization;
  return { clientId, userName, scope, nonce: row?.nonce };
}

/** Issues an ID token for what a code was issued for, besides the code or in its place. */
export async function issueIdTokenForCode(
  ctx: Context,
  code: string,
): Promise<string | undefined> {
  const found = await findCode(ctx, code);
  if (!found) return undefined;
  const { row: { nonce }, authorization } = found;
  const client = await findClient(ctx, authorization.clientId);
  const entitlement = { ...authorization, authorization, nonce };
  return client && await issueIdToken(ctx, client, entitlement, code);
}

async function findCode(
  { records }: Context,
  code: string,
): Promise<{ row: Code; authorization: Authorization } | undefined> {
  const row = await records.codes.find(code);
  const authorization = row && await records.authorizations.find(row.authorization);
  return authorization && { row, authorization };
}

async function authorize(
  ctx: Context,
  client: Client,
  access: AccessRights,
  user: User,
): Promise<Authorization> {
  const request = {
    clientId: client.id,
    requestedBy: referenceTo(client),
    responseTarget: {
      redirectUri: client.redirectUris[0] ?? "",
      mode: "query" as const,
      trusted: true,
      hasPromptNone: true,
    },
    ...access,
    prompt: [],
  };
  const signedIn = { session: newSession(ctx, user), user };
  const authorization = await makeAuthorization(ctx, client, request, signedIn);
  await storeAuthorization(ctx, client, authorization);
  return authorization;
}
