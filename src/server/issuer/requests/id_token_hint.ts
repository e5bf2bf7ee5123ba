import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import { acceptableSubjects } from "../../protocol/claims_request.ts";
import type { SubjectHint } from "../../protocol/interactive_request.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import { requirePresent, ruleSet } from "../../protocol/rule.ts";
import { findClient } from "../clients/clients.ts";
import { verifyHint } from "../clients/verify_hint.ts";
import type { Context } from "../context.ts";
import { readTokenId } from "../tokens/token_ids.ts";
import { subjectFor } from "../users/users.ts";

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
  const { sub, aud, exp, sid, jti } = await verifyHint(ctx, text) ?? {};
  if (typeof sub !== "string" || typeof aud !== "string" || exp === undefined) return undefined;
  return {
    subject: sub,
    clientId: aud,
    sid: typeof sid === "string" ? sid : undefined,
    authorization: typeof jti === "string" ? readTokenId(jti).authorizationId : undefined,
  };
}

const about = {
  see: "OpenID Connect Core, section 3.1.2.1",
  parameter: "id_token_hint",
  error: "invalid_request",
} as const;

const idTokenHintRules = ruleSet("id_token_hint", about, {
  known: {
    must: "The id_token_hint must be an ID token that this server issued",
    fix: "Send the ID token unchanged, or omit the hint.",
  },
});

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
