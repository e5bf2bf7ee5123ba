import type { Client } from "../model/client.ts";
import { describeSpan } from "../util/time/duration.ts";
import { requiresParameter } from "./form_parameters.ts";
import { mayRedeemUnchallenged, type RequestWithNonce } from "./pkce.ts";
import { type Compared, compared, ruleSet } from "./rule.ts";

/** A credential that a client may use once. */
export interface PresentedCredentialKind {
  /** The parameter that carries it, which also begins the ids of its rules. */
  parameter: string;
  /** The section that defines its use. */
  see: string;
  /** The section that forbids a second use. */
  seeSecondUse: string;
  /** How a client avoids a second use, if there is more to it than to use each once. */
  avoidSecondUse?: string;
}

/** When a credential expires, and the current time, in milliseconds. */
export interface Expiration {
  expiresAt: number;
  now: number;
}

export type CredentialRules = Pick<
  typeof refreshTokenRules,
  keyof ReturnType<typeof credentialTexts>
>;

/** The redirect URI of a token request, and that of the authorization request before it. */
interface RedirectUriPair {
  sent: string | undefined;
  requested: string;
  client: Client;
}

/** A code as it was requested, with the scope that was granted, and the client that presents it. */
interface PresentedCode extends RequestWithNonce {
  challenge: string | undefined;
  client: Client;
}

const code = {
  parameter: "code",
  see: "OAuth 2.1, section 4.1.3",
  seeSecondUse: "OAuth 2.1, section 7.5.2",
};

const redirectUri = {
  see: "OAuth 2.1, section 10.2",
  parameter: "redirect_uri",
  expected: ({ requested }: RedirectUriPair) => requested,
  received: ({ sent }: RedirectUriPair) => sent ?? "none",
} as const;

export const codeRules = ruleSet("code", invalidCredential(code), {
  ...credentialTexts(code),
  key: keyText(code),
  redirect_uri_present: {
    ...redirectUri,
    error: "invalid_request",
    title: "The request must repeat the redirect_uri of the authorization request",
    holds: ({ sent, client }: RedirectUriPair) =>
      sent !== undefined || client.redirectUriAtToken === "if-present",
  },
  // Compared exactly: only the authorization endpoint ignores the port of a loopback URI.
  redirect_uri: {
    ...redirectUri,
    title: "The redirect_uri must be identical to the one of the authorization request",
    fix: "Send the redirect_uri of the authorization request to the token endpoint, or none.",
    holds: ({ sent, requested }: RedirectUriPair) => sent === undefined || sent === requested,
  },
  // Since the request, the client may have become public, and the user may have denied openid.
  challenge: {
    see: "RFC 9700, section 2.1.1",
    title: "A code without a code_challenge must be redeemed by a client that needs none",
    fix: "Send a code_challenge with the authorization request.",
    holds: ({ challenge, client, ...granted }: PresentedCode) =>
      challenge !== undefined || mayRedeemUnchallenged(client, granted),
  },
});

export const storeNewRefreshToken =
  "Store the new refresh token of each response before you use its access token.";

const refreshToken = {
  parameter: "refresh_token",
  see: "OAuth 2.1, section 4.3",
  seeSecondUse: "OAuth 2.1, section 4.3.1",
  avoidSecondUse: storeNewRefreshToken,
};

export const refreshTokenRules = ruleSet("refresh_token", invalidCredential(refreshToken), {
  ...credentialTexts(refreshToken),
  key: keyText(refreshToken),
  // Only for clients that authenticate. It revokes nothing: they got the successor, and used it.
  repeat: {
    see: "OAuth 2.1, section 4.3.1",
    title: "A refresh token must not be sent again after its successor was used",
    fix: storeNewRefreshToken,
    holds: ({ isUsed }: { isUsed: boolean }) => !isUsed,
    expected: () => "one whose successor is unused",
    received: ({ isUsed }) => isUsed ? "an older one" : "one whose successor is unused",
  },
  scope_permitted: {
    see: "RFC 6749, section 6",
    parameter: undefined,
    title: "The policy of the server must permit a part of the granted scope",
    fix: "Start a new authorization.",
    holds: ({ isAny }: { isAny: boolean }) => isAny,
  },
});

/** Returns what sentences call a credential. */
export function nameOfCredential({ parameter }: { parameter?: string | undefined }): string {
  return parameter?.replace(/_(code|token)$/, " $1") ?? "";
}

export function invalidCredential({ parameter }: PresentedCredentialKind) {
  return { parameter, see: "OAuth 2.1, section 3.2.4", error: "invalid_grant" } as const;
}

/**
 * One message for several rules: an attacker who guesses or steals a credential learns nothing. The
 * rule `unused` has its own, unless a feature spreads this over it: a short code can be guessed.
 */
export function unusable(kind: PresentedCredentialKind): { message: string } {
  return {
    message: `The ${nameOfCredential(kind)} is unknown, expired, revoked, or another client's.`,
  };
}

/** Returns the texts of the rules that each kind of credential has, in their order. */
export function credentialTexts(kind: PresentedCredentialKind) {
  const name = nameOfCredential(kind);
  const oneOfThem = /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
  const secret = unusable(kind);
  return {
    present: {
      ...requiresParameter(kind.parameter),
      see: kind.see,
      error: "invalid_request" as const,
    },
    known: {
      ...secret,
      title: `The ${name} must be one that this server issued`,
      fix: `Send the ${name} unchanged, to the server that issued it.`,
      expected: () => `${oneOfThem} that this server issued`,
      received: (row: unknown) => row === undefined ? "an unknown one" : "a known one",
    },
    fresh: {
      ...secret,
      title: `The ${name} must not have expired`,
      fix: `Use the ${name} before it expires. If it has expired, start again.`,
      holds: ({ expiresAt, now }: Expiration) => expiresAt > now,
      expected: () => `${oneOfThem} that has not expired`,
      received: ({ expiresAt, now }: Expiration) => {
        const distance = describeSpan(now - expiresAt);
        return expiresAt > now
          ? `one that expires in ${distance}`
          : `one that expired ${distance} ago`;
      },
    },
    active: {
      ...secret,
      title: `The authorization of the ${name} must be active`,
      fix: "Ask the user to authorize the client again.",
      expected: () => "an active authorization",
      received: (active: unknown) =>
        active === undefined
          ? "one that was revoked, or whose user signed out or was removed"
          : "an active one",
    },
    client: {
      ...compared,
      ...secret,
      title: `The ${name} must have been issued to the client that presents it`,
      fix: `Send the ${name} as the client that it was issued to.`,
      expected: ({ expected }: Compared) => `the client '${expected}'`,
      received: ({ received }: Compared) => `the client '${received}'`,
    },
    unused: {
      see: kind.seeSecondUse,
      title: `The ${name} must not have been used before`,
      message: `The ${name} was used before. Everything that was issued from it is now revoked.`,
      fix: kind.avoidSecondUse ?? `Use each ${name} once, from one place in the client.`,
      holds: ({ isFirst }: { isFirst: boolean }) => isFirst,
      expected: () => "its first use",
      received: ({ isFirst }: { isFirst: boolean }) => isFirst ? "its first use" : "a repeated use",
    },
  };
}

/** Returns the text of the rule for a credential that is bound to a key. */
function keyText(kind: PresentedCredentialKind) {
  return {
    ...compared,
    see: "RFC 9449, section 10",
    parameter: "DPoP",
    title: `The DPoP proof must be made with the key of the ${nameOfCredential(kind)}`,
  };
}
