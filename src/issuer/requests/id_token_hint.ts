import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import { requestedSubjects } from "../../protocol/claims_request.ts";
import type { SubjectHint } from "../../protocol/interactive_request.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import { findClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { verifyOwnJwt } from "../keys/own_jwt.ts";
import { subjectFor } from "../users/subjects.ts";

/** Whom and which session an ID token of ours speaks of, whatever its age. */
export interface IdTokenHint extends SubjectHint {
  sid?: string;
}

/** Reads an ID token that comes back to us; one that is not ours, or no ID token, is none (OpenID Connect Core, section 3.1.2.1). */
export async function readIdTokenHint(
  ctx: Context,
  text: string,
): Promise<IdTokenHint | undefined> {
  const claims = await verifyOwnJwt(ctx, text, "JWT", "whatever its age");
  if (
    typeof claims?.sub !== "string" || typeof claims.aud !== "string" || claims.exp === undefined
  ) return undefined;
  return {
    subject: claims.sub,
    clientId: claims.aud,
    sid: typeof claims.sid === "string" ? claims.sid : undefined,
  };
}

/** Whether a person is the one whom a hint speaks of. */
export async function matchesHint(ctx: Context, hint: SubjectHint, user: User): Promise<boolean> {
  const client = await findClient(ctx, hint.clientId);
  return client !== undefined && await subjectFor(ctx, client, user) === hint.subject;
}

/** Whether a request may be answered for a person: it may name another one, by a hint or by a `sub`. */
export async function matchesRequestedUser(
  ctx: Context,
  client: Client,
  { subjectHint, claims }: PendingRequest,
  user: User,
): Promise<boolean> {
  const subjects = requestedSubjects(claims);
  if (subjectHint && !await matchesHint(ctx, subjectHint, user)) return false;
  return subjects === undefined || subjects.includes(await subjectFor(ctx, client, user));
}
