import type { Client } from "../model/client.ts";
import { type ClientReference, refersTo } from "../model/client_identity.ts";
import { describeSpan } from "../util/time/describe_span.ts";
import { presenceRule } from "./form_rules.ts";
import type { Rule } from "./rule.ts";

/** A credential that a client may use once. */
interface PresentedCredentialKind {
  /** Begins the ids of its rules. */
  id: string;
  /** What sentences call it. */
  name: string;
  /** The parameter that carries it. */
  parameter: string;
  /** The section that defines its use. */
  see: string;
  /** The section that forbids a second use. */
  seeSecondUse: string;
}

/** The rules of one kind of credential, in the order in which they apply. */
export interface CredentialRules {
  /** What sentences call the credential. */
  name: string;
  isPresent: Rule<string | undefined>;
  isKnown: Rule<unknown>;
  isFresh: Rule<Expiration>;
  isActive: Rule<unknown>;
  isThisClients: Rule<ClientPair>;
  isUnused: Rule<Use>;
}

/** The rules of a credential that may be bound to a key. */
interface BoundCredentialRules extends CredentialRules {
  keyIsTheSame: Rule<KeyPair>;
}

/** The rules of a credential that comes before the authorization. */
interface DeviceCodeRules extends CredentialRules {
  isSameClient: Rule<IssuedTo>;
}

/** When a credential expires, and the current time, in milliseconds. */
interface Expiration {
  expiresAt: number;
  now: number;
}

/** The client that a credential was issued to, and the one that presents it. */
interface ClientPair {
  owner: string;
  client: string;
}

/** The client that a credential was issued to, as it was then, and as it is now. */
interface IssuedTo {
  issuedTo: ClientReference;
  client: Client;
}

/** The thumbprint of the key that a credential is bound to, and that of the proof. */
interface KeyPair {
  bound: string | undefined;
  jkt: string | undefined;
}

interface Use {
  isFirst: boolean;
}

export const codeRules = boundRulesOf({
  id: "code",
  name: "code",
  parameter: "code",
  see: "OAuth 2.1, section 4.1.3",
  seeSecondUse: "OAuth 2.1, section 7.5.2",
});

export const refreshTokenRules = boundRulesOf({
  id: "refresh_token",
  name: "refresh token",
  parameter: "refresh_token",
  see: "OAuth 2.1, section 4.3",
  seeSecondUse: "OAuth 2.1, section 4.3.1",
});

const deviceCode: PresentedCredentialKind = {
  id: "device_code",
  name: "device code",
  parameter: "device_code",
  see: "RFC 8628, section 3.4",
  seeSecondUse: "RFC 8628, section 3.4",
};

export const deviceCodeRules: DeviceCodeRules = {
  ...rulesOf(deviceCode),
  isSameClient: {
    ...invalidCredential(deviceCode),
    id: "device_code.same_client",
    title: "The client is the same as when the device code was issued",
    advice: "Start again: the client was disabled or replaced.",
    holds: ({ issuedTo, client }) => refersTo(issuedTo, client),
    expected: ({ client }) => `the client '${client.id}' as it was`,
    came: () => "a client that was disabled or replaced since",
  },
};

function boundRulesOf(kind: PresentedCredentialKind): BoundCredentialRules {
  return { ...rulesOf(kind), keyIsTheSame: keyIsTheSame(kind) };
}

function rulesOf(kind: PresentedCredentialKind): CredentialRules {
  const { id, name, parameter } = kind;
  const invalid = invalidCredential(kind);
  return {
    name,
    isPresent: presenceRule(kind),
    isKnown: {
      ...invalid,
      id: `${id}.known`,
      title: `The ${name} is known`,
      advice: `Send the ${name} unchanged, to the server that issued it.`,
      holds: (row) => row !== undefined,
      expected: () => `a ${name} that this server issued`,
      came: (row) => row === undefined ? "an unknown one" : "a known one",
    },
    isFresh: {
      ...invalid,
      id: `${id}.fresh`,
      title: `The ${name} has not expired`,
      advice: `Use the ${name} before it expires. If it has expired, start again.`,
      holds: ({ expiresAt, now }) => expiresAt > now,
      expected: () => `a ${name} that has not expired`,
      came: ({ expiresAt, now }) => {
        const distance = describeSpan(now - expiresAt);
        return expiresAt > now
          ? `one that expires in ${distance}`
          : `one that expired ${distance} ago`;
      },
    },
    isActive: {
      ...invalid,
      id: `${id}.active`,
      title: `The authorization of the ${name} is active`,
      advice: "Ask the user to authorize the client again.",
      holds: (active) => active !== undefined,
      expected: () => "an active authorization",
      came: (active) =>
        active === undefined
          ? "one that was revoked, or whose user signed out or was removed"
          : "an active one",
    },
    isThisClients: {
      ...invalid,
      id: `${id}.client`,
      title: `The ${name} was issued to this client`,
      advice: `Send the ${name} as the client that it was issued to.`,
      holds: ({ owner, client }) => owner === client,
      expected: ({ owner }) => `the client '${owner}'`,
      came: ({ client }) => `the client '${client}'`,
    },
    isUnused: {
      id: `${id}.unused`,
      title: `The ${name} is used for the first time`,
      see: kind.seeSecondUse,
      parameter,
      error: "invalid_grant",
      message: `The ${name} was used before. Everything that was issued from it is now revoked.`,
      advice: `Use each ${name} once, from one place in the client.`,
      holds: ({ isFirst }) => isFirst,
      expected: () => "its first use",
      came: ({ isFirst }) => isFirst ? "its first use" : "a repeated use",
    },
  };
}

/** One error for several rules: an attacker who guesses or steals a credential learns nothing. */
function invalidCredential({ name, parameter }: PresentedCredentialKind) {
  return {
    parameter,
    see: "OAuth 2.1, section 3.2.4",
    error: "invalid_grant",
    message: `The ${name} is unknown, expired, revoked, or another client's.`,
  } as const;
}

/** RFC 9449, sections 5 and 10. */
function keyIsTheSame({ id, name }: PresentedCredentialKind): Rule<KeyPair> {
  return {
    id: `${id}.key`,
    title: `The request proves the key that the ${name} is bound to`,
    see: "RFC 9449, section 10",
    parameter: "DPoP",
    error: "invalid_grant",
    message: ({ jkt }) => {
      const problem = jkt === undefined
        ? "the request has no DPoP proof"
        : "the DPoP proof was made with a different key";
      return `The ${name} is bound to a key, and ${problem}.`;
    },
    advice: `Sign the DPoP proof with the key that the ${name} was issued for.`,
    holds: ({ bound, jkt }) => bound === undefined || bound === jkt,
    expected: ({ bound }) => bound === undefined ? "any key, or none" : `the key ${bound}`,
    came: ({ jkt }) => jkt === undefined ? "no proof" : `the key ${jkt}`,
  };
}
