import { type Client, isPublic } from "../../model/client.ts";
import { requiresParameter } from "../../protocol/form_parameters.ts";
import { cibaGrantType } from "../../protocol/grant_types.ts";
import { absent, ruleSet } from "../../protocol/rule.ts";

/** The hints of which a request has exactly one. */
export const hintNames = ["login_hint_token", "id_token_hint", "login_hint"] as const;

/** A binding message fits into one line of two screens. */
const maxMessageLength = 64;

/** Letters, numbers, signs and spaces of any script; no control character. */
const plainText = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\x20]+$/u;

/** Characters that show nothing though they are letters, marks or signs, and piles of marks. */
const unreadable = /[\p{Default_Ignorable_Code_Point}\u2800]|\p{M}{5}/u;

/** The syntax of bearer tokens (RFC 6750, section 2.1). */
const bearerToken = /^[A-Za-z0-9\-._~+/]+=*$/;
const maxTokenLength = 1024;
/** The characters of base64url that hold 128 bits. */
const minTokenLength = 22;

const about = {
  see: "OpenID Connect CIBA, section 7.1",
  parameter: "client_id",
  error: "invalid_request",
} as const;

const aboutObject = { see: "OpenID Connect CIBA, section 7.1.1", parameter: "request" } as const;

const aboutMessage = {
  parameter: "binding_message",
  error: "invalid_binding_message",
} as const;

export const backchannelRules = ruleSet("backchannel", about, {
  allowed: {
    error: "unauthorized_client",
    title: "The client must be allowed to use the CIBA grant, and must authenticate",
    fix: `Add the grant '${cibaGrantType}' to the client, and give it a secret or a key.`,
    holds: (client: Client) => client.grantTypes.includes(cibaGrantType) && !isPublic(client),
    expected: ({ grantTypes }) => grantTypes.join(" or ") || "no grant",
  },
  signed: {
    ...aboutObject,
    title: "A client that must sign its backchannel requests must send the parameter 'request'",
    fix: "Send the parameters as a signed request object.",
    holds: ({ signed, required }: { signed: boolean; required: boolean }) => signed || !required,
  },
  object: {
    ...aboutObject,
    title: "The signed request must be valid",
    // The problem is a clause that repeats nothing from the request.
    message: ({ problem }) => `The signed request is invalid: ${problem}.`,
    fix: "Sign iss, aud, exp, iat, nbf, jti and all parameters with a key of the client.",
    holds: ({ problem }: { problem: string | undefined }) => problem === undefined,
    received: ({ problem }) => problem ?? "a valid one",
  },
  object_alone: {
    ...aboutObject,
    ...absent,
    title: "A signed request must have no parameters besides it, except those of the client",
    fix: "Send each parameter inside the signed request only.",
    received: (unsigned: string | undefined) => unsigned ?? "none",
  },
  openid: {
    parameter: "scope",
    error: "invalid_scope",
    title: "The scope must contain 'openid'",
    holds: (scope: readonly string[]) => scope.includes("openid"),
    received: (scope) => scope.join(" ") || "none",
  },
  no_hint_token: {
    ...absent,
    parameter: "login_hint_token",
    title:
      "The request must not have a login_hint_token, because this server trusts no issuer of them",
    fix: "Send a login_hint or an id_token_hint instead.",
  },
  one_hint: {
    parameter: "login_hint",
    title: "The request must have exactly one hint: login_hint or id_token_hint",
    holds: (hints: readonly string[]) => hints.length === 1,
    received: (hints) => hints.join(" and ") || "none",
  },
  binding_message: {
    ...aboutMessage,
    title: `The binding_message must be one line of at most ${maxMessageLength} plain characters`,
    fix: "Send a short code or a few words that the user can compare.",
    holds: (message: string | undefined) => message === undefined || isReadable(message),
    received: (message) => message,
  },
  binding_message_present: {
    see: "FAPI-CIBA, section 5.2.2",
    parameter: "binding_message",
    title: "The request must have a binding_message or authorization_details under this profile",
    fix: "Send a binding_message, and show it to the user.",
    holds: ({ isUnique }: { isUnique: boolean }) => isUnique,
  },
  requested_expiry: {
    parameter: "requested_expiry",
    title: "The requested_expiry must be a positive number of seconds, in digits",
    holds: (text: string | undefined) => text === undefined || /^0*[1-9]\d*$/.test(text),
    received: (text) => text,
  },
  notification_token: {
    ...requiresParameter("client_notification_token"),
    fix: "Send a random token for each request: the ping has it as its bearer token.",
  },
  notification_token_form: {
    parameter: "client_notification_token",
    title:
      `The client_notification_token must be a bearer token of ${minTokenLength} to ${maxTokenLength} characters`,
    fix: "Send at least 128 random bits in base64url.",
    holds: (token: string) =>
      token.length >= minTokenLength && token.length <= maxTokenLength && bearerToken.test(token),
    received: ({ length }) => `${length} characters`,
  },
  user_known: {
    see: "OpenID Connect CIBA, section 13",
    parameter: "login_hint",
    error: "unknown_user_id",
    title: "The hint must identify one user",
    fix: "Send the name, the e-mail address or the phone number of a user.",
  },
  user_code_present: {
    see: "OpenID Connect CIBA, section 13",
    parameter: "user_code",
    error: "missing_user_code",
    title: "The request must have the code of the user",
    fix: "Ask the user for the code, or leave backchannel_user_code_parameter out.",
  },
  user_code: {
    see: "OpenID Connect CIBA, section 13",
    parameter: "user_code",
    error: "invalid_user_code",
    title: "The user_code must be that of the user",
    holds: ({ isRight }: { isRight: boolean }) => isRight,
  },
});

/** Whether users can compare a message: spaces at its ends would make it look like another. */
function isReadable(message: string): boolean {
  return message.length <= maxMessageLength && message.trim() === message &&
    plainText.test(message) && !unreadable.test(message);
}
