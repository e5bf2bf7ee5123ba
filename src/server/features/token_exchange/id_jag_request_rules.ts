import { type Client, isPublic } from "../../model/client.ts";
import { absent, compared, ruleSet } from "../../protocol/rule.ts";
import type { IdJagConfig } from "./config.ts";

const draft = "Identity Assertion JWT Authorization Grant, section";

/** What is missing if the policy of the server does not name what a request asks for. */
const notAllowed = { error: "invalid_target" } as const;

export const idJagRequestRules = ruleSet("id_jag", {
  see: `${draft} 4.3`,
  error: "invalid_request",
}, {
  // Without authentication, anyone who finds an ID token could use it (section 9.1 of the draft).
  client: {
    see: `${draft} 4.3.3`,
    parameter: "client_id",
    error: "unauthorized_client",
    title: "The client must have credentials, and the setting 'idJag'",
    holds: ({ client, entries }: { client: Client; entries: readonly IdJagConfig[] }) =>
      !isPublic(client) && entries.length > 0,
  },
  // The draft leaves it to others what an actor means; ignoring one would pass for the user alone.
  actor: {
    see: "RFC 8693, section 2.2.2",
    parameter: "actor_token",
    title: "A request for an ID-JAG must not have an actor_token or its type",
    holds: ({ isPresent }: { isPresent: boolean }) => !isPresent,
  },
  details: {
    ...absent,
    parameter: "authorization_details",
    error: "invalid_authorization_details",
    title: "A request for an ID-JAG must not have authorization_details",
    fix: "Request scopes instead.",
  },
  subject_token_type: {
    ...compared,
    parameter: "subject_token_type",
    title: "The subject_token_type must be that of an ID token or of a refresh token",
  },
  audience_once: {
    parameter: "audience",
    title: "A request for an ID-JAG must have the parameter 'audience' once",
    fix: "Send the issuer of the server that will redeem the ID-JAG as the audience.",
    holds: (audiences: readonly string[]) => audiences.length === 1,
    received: (audiences) => audiences.join(" ") || "no audience",
  },
  subject_token: {
    see: `${draft} 4.3.3`,
    parameter: "subject_token",
    title: "The subject_token must be active, and issued to this client",
    fix: "Present the ID token or the refresh token that this client got when the user signed in.",
    holds: ({ isUsable }: { isUsable: boolean; problem: string | undefined }) => isUsable,
    received: ({ isUsable, problem }) => isUsable ? "such a token" : problem,
  },
  proof: {
    ...compared,
    see: "RFC 9449, section 5",
    parameter: "DPoP",
    title: "The DPoP proof must be made with the key that the subject_token is bound to",
  },
  // Offline access outlives the session here, but not in another domain.
  session: {
    see: `${draft} 4.3.3`,
    parameter: "subject_token",
    title: "The session of the subject_token must not have ended",
    fix: "Ask the user to sign in again.",
    holds: ({ isLive }: { isLive: boolean }) => isLive,
  },
  audience: {
    ...compared,
    ...notAllowed,
    parameter: "audience",
    title: "The audience must be one that the client may get an ID-JAG for",
    fix: "Add the audience to the setting 'idJag' of the client.",
  },
  // The policy decides about the audience and the resource as a pair.
  target: {
    ...notAllowed,
    see: `${draft} 4.3.3`,
    parameter: "resource",
    title: "The resource must be the one that is configured for the audience",
    fix: "Send the resource of the setting 'idJag' that belongs to the audience.",
    holds: (
      { entry }: { entry: unknown; received: readonly string[]; expected: readonly string[] },
    ) => entry !== undefined,
    expected: ({ expected }) => expected.join(" or "),
    received: ({ received }) => received.join(" ") || "no resource",
  },
  user: {
    ...notAllowed,
    see: `${draft} 4.3.3`,
    parameter: "audience",
    title: "The user must be one who may use the server at this audience",
    fix: "Add the user to the 'users' of the entry in 'idJag'.",
    holds: ({ isAllowed }: { isAllowed: boolean; entry: IdJagConfig; user: string }) => isAllowed,
    expected: ({ entry }) => Object.keys(entry.users ?? {}).join(" or ") || "a user",
    received: ({ user }) => user,
  },
  granted_scope: {
    see: `${draft} 4.3.3`,
    parameter: "scope",
    error: "invalid_scope",
    title: "The user and the client must be allowed a part of the scope at this audience",
    fix: "Request a scope that the entry in 'idJag' allows this user.",
    holds: ({ granted }: { granted: readonly string[]; allowed: readonly string[] }) =>
      granted.length > 0,
    expected: ({ allowed }) => allowed.join(" or "),
  },
  relying_party: {
    ...notAllowed,
    see: `${draft} 3.1`,
    parameter: "audience",
    title: "The 'relyingParty' of the entry in 'idJag' must be a client of this server",
    holds: ({ isKnown }: { isKnown: boolean }) => isKnown,
  },
});
