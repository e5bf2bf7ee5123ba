import { type Client, isPublic } from "../model/client.ts";
import type { IdJagConfig } from "../model/id_jag_config.ts";
import { type ApplyRule, requireValue, type Rule } from "../protocol/rule.ts";
import { parseScope } from "../protocol/scope.ts";
import { ownMember } from "../util/values/own_member.ts";

const about = {
  see: "Identity Assertion JWT Authorization Grant, section 4.3.3",
  error: "invalid_request",
} as const;

/** Without authentication, anyone who finds an ID token could use it (section 9.1 of the draft). */
export const clientMayGetIdJags: Rule<Client> = {
  ...about,
  id: "id_jag.client",
  title: "The client authenticates, and has a server that it may get ID-JAGs for",
  parameter: "client_id",
  error: "unauthorized_client",
  message: "This client may get no ID-JAG.",
  advice: "Give a confidential client the setting 'idJag'.",
  holds: (client) => !isPublic(client) && idJagEntriesOf(client).length > 0,
};

export const subjectIsUsable: Rule<{ isUsable: boolean; problem: string | undefined }> = {
  ...about,
  id: "id_jag.subject_token",
  title: "The subject_token is active, and was issued to this client",
  parameter: "subject_token",
  message: "The subject_token is unknown, expired, revoked, or was not issued to this client.",
  advice: "Present the ID token or the refresh token that this client got when the user signed in.",
  holds: ({ isUsable }) => isUsable,
  expected: () => "an active ID token or refresh token that was issued to this client",
  came: ({ isUsable, problem }) => isUsable ? "such a token" : problem,
};

/** Offline access outlives the session here, but not in another domain. */
export const sessionIsLive: Rule<{ isLive: boolean }> = {
  ...about,
  id: "id_jag.session",
  title: "The session in which the user signed in has not ended",
  parameter: "subject_token",
  message: "The session of the subject_token has ended. The user must sign in again.",
  advice: "Ask the user to sign in again.",
  holds: ({ isLive }) => isLive,
};

export const refreshKeyIsProven: Rule<{ bound: string | undefined; jkt: string | undefined }> = {
  ...about,
  id: "id_jag.proof",
  title: "The request proves the key that the refresh token is bound to, if it is bound",
  see: "RFC 9449, section 5",
  parameter: "DPoP",
  message: "The subject_token is bound to a key. Send a DPoP proof made with that key.",
  advice: "Sign a DPoP proof with the key of the refresh token.",
  holds: ({ bound, jkt }) => bound === undefined || bound === jkt,
  expected: ({ bound }) => bound === undefined ? "any key, or none" : `the key ${bound}`,
  came: ({ jkt }) => jkt === undefined ? "no proof" : `the key ${jkt}`,
};

const userIsAllowed: Rule<{ entry: IdJagConfig; user: string }> = {
  ...about,
  id: "id_jag.user",
  title: "The policy lets the user use the server at this audience",
  parameter: "audience",
  error: "invalid_target",
  message: "The policy of this server does not let this user use the server at this audience.",
  advice: "Add the user to the 'users' of the entry in 'idJag'.",
  holds: ({ entry, user }) => scopesOf(entry, user) !== undefined,
  expected: ({ entry }) => Object.keys(entry.users ?? {}).join(" or ") || "a user",
  came: ({ user }) => user,
};

const someScopeIsAllowed: Rule<{ granted: readonly string[]; allowed: readonly string[] }> = {
  ...about,
  id: "id_jag.granted_scope",
  title: "The user and the client may have a part of the requested scope at this audience",
  parameter: "scope",
  error: "invalid_scope",
  message: ({ allowed }) =>
    `Nothing of the scope is allowed at this audience. Allowed: '${allowed.join(" ")}'.`,
  advice: "Request a scope that the entry in 'idJag' allows this user.",
  holds: ({ granted }) => granted.length > 0,
  expected: ({ allowed }) => allowed.join(" or "),
};

export const relyingPartyIsKnown: Rule<{ isKnown: boolean }> = {
  ...about,
  id: "id_jag.relying_party",
  title: "The server at the audience is a client here, if the policy says so",
  see: "Identity Assertion JWT Authorization Grant, section 3.1",
  parameter: "audience",
  error: "invalid_target",
  message: "The client that the server at this audience should be does not exist here.",
  advice: "Add the 'relyingParty' of the entry in 'idJag' to the clients.",
  holds: ({ isKnown }) => isKnown,
};

/** Returns what a client may get ID-JAGs for. A client that was stored before may have no list. */
export function idJagEntriesOf({ idJag = [] }: Partial<Pick<Client, "idJag">>): IdJagConfig[] {
  return idJag;
}

/**
 * Returns the part of a requested scope that the policy leaves, and all of it without a request.
 */
export function grantedScope(
  apply: ApplyRule,
  entry: IdJagConfig,
  user: string,
  requested: string | undefined,
): string[] {
  const allowed = requireValue(apply, userIsAllowed, { entry, user }, scopesOf(entry, user));
  const tokens = requested === undefined ? allowed : parseScope(apply, requested);
  const granted = tokens.filter((token) => allowed.includes(token));
  apply(someScopeIsAllowed, { granted, allowed });
  return granted;
}

function scopesOf({ scopes, users }: IdJagConfig, user: string): string[] | undefined {
  if (!users) return scopes;
  return ownMember(users, user)?.filter((token) => scopes.includes(token));
}
