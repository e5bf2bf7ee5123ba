import { decodeJwt, errors, type JWTPayload, jwtVerify } from "jose";
import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import { acceptableSubjects } from "../../protocol/claims_request.ts";
import type { SubjectHint } from "../../protocol/interactive_request.ts";
import { jwtKindOf } from "../../protocol/jwt.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import { requirePresent, ruleSet } from "../../protocol/rule.ts";
import { findClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { isCanonical, verifyOwnJwt } from "../keys/own_jwt.ts";
import { hmacKey } from "../keys/secrets_at_rest.ts";
import { readTokenId } from "../tokens/token_ids.ts";
import { subjectFor } from "../users/users.ts";

const about = {
  see: "OpenID Connect Core, section 3.1.2.1",
  parameter: "id_token_hint",
  error: "invalid_request",
} as const;

const idTokenHintRules = ruleSet("id_token_hint", about, {
  known: {
    title: "The id_token_hint must be an ID token that this server issued",
    fix: "Send the ID token unchanged, or omit the hint.",
  },
});

/** The user and the session that an ID token names. It may have expired. */
export interface IdTokenHint extends SubjectHint {
  sid?: string | undefined;
  /** The authorization that the token comes from. A client that signs hints can name any. */
  authorization?: string | undefined;
}

/**
 * Reads an ID token that a client sends back. Returns undefined for anything that is not an ID
 * token of this server (OpenID Connect Core, section 3.1.2.1).
 */
export async function readIdTokenHint(
  ctx: Context,
  text: string,
): Promise<IdTokenHint | undefined> {
  // One that was signed with the secret of its client proves less, because the client can sign as
  // well: it is a hint about this client's user and nothing else, and no exchange takes it.
  const claims = await verifyOwnJwt(ctx, text, "id token", "any age") ??
    await verifyHmac(ctx, text);
  const { sub, aud, exp, sid, jti } = claims ?? {};
  if (typeof sub !== "string" || typeof aud !== "string" || exp === undefined) return undefined;
  return {
    subject: sub,
    clientId: aud,
    sid: typeof sid === "string" ? sid : undefined,
    authorization: typeof jti === "string" ? readTokenId(jti).authorizationId : undefined,
  };
}

/** Reads the `id_token_hint` of a request, which must be an ID token of this server. */
export async function requireIdTokenHint(ctx: Context, text: string): Promise<IdTokenHint> {
  return requirePresent(ctx.apply, idTokenHintRules.known, await readIdTokenHint(ctx, text));
}

/** Whether a hint names a user. */
export async function matchesHint(ctx: Context, hint: SubjectHint, user: User): Promise<boolean> {
  const client = await findClient(ctx, hint.clientId);
  return client !== undefined && await subjectFor(ctx, client, user) === hint.subject;
}

/** Whether a request is meant for a user: it may name another one, by a hint or a `sub`. */
export async function matchesRequestedUser(
  ctx: Context,
  client: Client,
  { subjectHint, claims }: PendingRequest,
  user: User,
): Promise<boolean> {
  const subjects = acceptableSubjects(claims);
  if (subjectHint && !await matchesHint(ctx, subjectHint, user)) return false;
  return subjects === undefined || subjects.includes(await subjectFor(ctx, client, user));
}

/** Returns the secret that signs the tokens of this audience; undefined if one of our keys does. */
export async function hmacKeyFor(ctx: Context, audience: unknown): Promise<Uint8Array | undefined> {
  return (await hmacKeysFor(ctx, audience))[0];
}

/** Returns the secrets that may have signed the tokens of this audience. */
async function hmacKeysFor(ctx: Context, audience: unknown): Promise<Uint8Array[]> {
  const client = typeof audience === "string" ? await findClient(ctx, audience) : undefined;
  if (client?.idTokenAlg !== "HS256") return [];
  const keys = await Promise.all(client.secrets.map((each) => hmacKey(ctx, client.id, each)));
  return keys.filter((key) => key !== undefined);
}

async function verifyHmac(ctx: Context, jwt: string): Promise<JWTPayload | undefined> {
  if (!isCanonical(jwt)) return undefined;
  for (const secret of await hmacKeysFor(ctx, unverifiedAudience(jwt))) {
    const claims = await verifyWithSecret(ctx, jwt, secret);
    if (claims) return claims;
  }
  return undefined;
}

async function verifyWithSecret(
  ctx: Context,
  jwt: string,
  secret: Uint8Array,
): Promise<JWTPayload | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(jwt, secret, {
      issuer: ctx.settings.issuer,
      algorithms: ["HS256"],
      // A hint may have expired. At this time no token had.
      currentDate: new Date(0),
    });
    return jwtKindOf(protectedHeader.typ, payload) === "id token" ? payload : undefined;
  } catch (cause) {
    if (cause instanceof errors.JOSEError) return undefined;
    throw cause;
  }
}

function unverifiedAudience(jwt: string): unknown {
  try {
    return decodeJwt(jwt).aud;
  } catch {
    return undefined;
  }
}
