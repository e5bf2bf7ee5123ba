import { type Basis, basisIn } from "../../../findings/finding.ts";
import type { DrillVariant } from "./drill_variant.ts";
import { mistakeOf } from "./mistakes.ts";

/** What is at stake in a variant, each in one sentence. */
interface AttackAdvice {
  /** What an attacker gains if a client accepts it, or what users lose if it refuses. */
  gain: string;
  /** What the client has to do. */
  fix: string;
}

/** What a finding about a variant has of it. */
interface DescribedVariant extends AttackAdvice, Basis {
  id: string;
  title: string;
}

/** The advice for faults by their names; the first pattern that matches counts. */
const attacks: ReadonlyArray<readonly [fault: RegExp, gain: string, fix: string]> = [
  [
    /^metadata\.wrong_issuer$/,
    "The metadata of an attacker's server passes for yours, so your codes and secrets go there.",
    "Compare the issuer in the metadata with the one that you configured.",
  ],
  [
    /^metadata\.foreign_token_endpoint$/,
    "Another server gets an assertion with which it can log in to yours as your client.",
    "Name the issuer of the server as the only audience of a client assertion.",
  ],
  [
    /^resource_metadata\.wrong_resource$/,
    "A token for one server is requested in the name of another, which an attacker runs.",
    "Compare the resource in the metadata with the URL of the server.",
  ],
  [
    /^metadata\.without_pkce$/,
    "A code that an attacker intercepts can be redeemed, because nothing ties it to the client.",
    "Refuse a server whose metadata does not list S256.",
  ],
  [
    /^(resource_metadata|metadata\.only_|register)/,
    "The client cannot use a server that follows the specification.",
    "Look for metadata at each place in order, and register with the application_type you have.",
  ],
  [
    /^mcp\./,
    "The client asks the user again and again, or never gets the access that it needs.",
    "Request the scopes of the challenge, and stop after a few attempts.",
  ],
  [
    /^metadata\./,
    "The client trusts metadata that it must not trust.",
    "Validate the metadata before you use it.",
  ],
  [
    /^callback\.wrong_state$/,
    "An attacker's login is completed in the browser of a victim, who then uses their account.",
    "Compare the state with the one in the user's session.",
  ],
  [
    /^callback\.without_state$/,
    "An attacker leaves the state out of a link, and a victim who follows it is signed in as them.",
    "Refuse a callback without a state, and one for a session that began no login.",
  ],
  [
    /^callback\.(.*_)?iss(_|$)/,
    "If the application knows several servers, a code of one is sent to another, which an attacker " +
    "runs (mix-up).",
    "Compare the iss parameter with the issuer that the user was sent to.",
  ],
  [
    /^callback\.(denied|error)/,
    "A login that was denied counts as one that succeeded.",
    "Treat a response with an error as a failure, even if it also has a code.",
  ],
  [
    /^callback\.(foreign_code|other_redirect_uri|fixated)/,
    "A code from another session signs its user in here, or the attacker elsewhere.",
    "Tie each login to its browser session: a state, a nonce, a code verifier and a redirect URI.",
  ],
  [
    /\.encrypted_unsigned$/,
    "Anyone can make it: the key that encrypts is public.",
    "Verify the signature, iss and aud of what was encrypted, as if it had come without.",
  ],
  [
    /^id_token\.(wrong_encryption_|encrypted_)/,
    "A weak algorithm of the sender's choice is used with your key.",
    "Decrypt only with the key, the alg and the enc that the client registered.",
  ],
  [
    /^(jarm|callback)\./,
    "A response that the server did not make for this login completes it.",
    "Validate the authorization response, with its signature if it has one, before you use it.",
  ],
  [
    /^refresh\.invalid_grant$/,
    "Access that the provider has ended goes on in the application, without valid tokens.",
    "When a refresh ends with invalid_grant, delete the tokens, and ask the user to sign in again.",
  ],
  [
    /^refresh\./,
    "If the application reads the ID token of a refresh, a session goes on as another user.",
    "Compare iss, sub and aud of the ID token with those of the login.",
  ],
  [
    /^id_token\.without_sub$/,
    "A login that names no user may match an account by an empty id.",
    "Require a sub in the ID token.",
  ],
  [
    /^id_token\.wrong_sub$/,
    "The access token of another user is put beside an ID token, and its claims are shown.",
    "Compare the sub of the userinfo response with the one of the ID token.",
  ],
  [
    /^token\.without_id_token$/,
    "A login without an ID token does not show who signed in, and for whom.",
    "Require an ID token in the response if you asked for openid.",
  ],
  [
    /^token\./,
    "No attack: a token response that is not valid counts as a login.",
    "Validate the token response: its status, its JSON, and a token type that you know.",
  ],
  [
    /^id_token\.(.*aud|.*azp)/,
    "A token that was issued to another application signs its user in to yours.",
    "Require your client ID as the audience, and as azp if there are several.",
  ],
  [
    /^id_token\..*iss$/,
    "Another server can sign in any of your users.",
    "Compare the iss of the ID token with the issuer that you configured.",
  ],
  [
    /^id_token\..*(exp|iat|future|issued|nbf)/,
    "An ID token that was stolen long ago still signs its user in.",
    "Require exp and iat, and compare them with the clock.",
  ],
  [
    /^id_token\..*nonce/,
    "A stolen ID token or code is replayed in another session.",
    "Compare the nonce with the one in the user's session.",
  ],
  [
    /^jwks\.|^id_token\..*(alg|sig|kid|key|hs256)/,
    "Whoever can put an ID token in front of your application signs in as any user.",
    "Verify the signature with a key of the issuer, and with the algorithm that you expect.",
  ],
  [
    /^id_token\./,
    "An ID token that is not valid signs its user in.",
    "Validate every claim of the ID token.",
  ],
  [
    /^logout_token\.wrong_(iss|aud)$/,
    "A logout token of another server or application ends the sessions of your users.",
    "Compare the iss of a logout token with your issuer, and require your client ID as its aud.",
  ],
  [
    /^logout_token\.(alg_none|hs256|foreign)/,
    "Anyone can end the sessions of your users.",
    "Verify the signature with a key of the issuer, and with the algorithm that you expect.",
  ],
  [
    /^logout_token\.expired$/,
    "Whoever has seen a logout token once ends sessions with it for good.",
    "Require exp, and compare it with the clock.",
  ],
  [
    /^logout_token\./,
    "Another token of the server, such as an ID token, ends sessions of its user.",
    "Require the event of a logout, a sub or a sid, and no nonce.",
  ],
  [
    /^userinfo\./,
    "The claims of another user, or of no user, count as those of this one.",
    "Validate the userinfo response, and compare its sub with the one of the ID token.",
  ],
];

/** What users lose, for valid responses that come at a bad moment. */
const losses: ReadonlyArray<readonly [fault: RegExp, gain: string, fix: string]> = [
  [
    /^token\.held$/,
    "Users who sign in with two tabs at once are signed in with neither.",
    "Keep a state and a verifier for each login, and let a callback that fails end no other one.",
  ],
  [
    /^refresh\.held$/,
    "Two tabs, or two requests of one page, end the session of their user: the second use of a " +
    "refresh token looks like a theft.",
    "Share one refresh among all that wait for it, in all processes alike, and store its result " +
    "before any of them goes on.",
  ],
  [
    /^(token|refresh)\.lost$/,
    "A connection that breaks once locks a user out for good.",
    "Forget what was spent, and begin a new login.",
  ],
  [
    /^register\.forgotten$/,
    "Users cannot sign in until the stored registration of the client is deleted by hand.",
    "At invalid_client, forget the registration and what was issued to it, register once more, " +
    "and then stop. If a login never returns, do the same at the next one.",
  ],
];

/** What was not judged, by the faults that an application accepted: the condition comes first. */
const notes: ReadonlyArray<readonly [fault: RegExp, text: string]> = [
  [
    /^callback\..*iss/,
    "Mix-up was not judged: one issuer was seen. If the application signs in at several servers " +
    "with one redirect URI, set severalIssuers.",
  ],
  [
    /^id_token\.(second_aud|wrong_azp)$/,
    "If your provider issues ID tokens for several clients: the application takes one that names " +
    "another audience, or another azp, as well.",
  ],
  [
    /^id_token\.without_sub$/,
    "If your provider may leave out sub: the application takes an ID token that names no user.",
  ],
];

/** Returns the line about a variant that was not judged. */
export function noteOn(fault: string): string {
  return notes.find(([pattern]) => pattern.test(fault))?.[1] ?? fault;
}

const anyAttack: AttackAdvice = {
  gain: "The client accepts a response that it must refuse.",
  fix: "Validate the response as that section requires.",
};

const validResponse: AttackAdvice = {
  gain: "Users of a server that does this cannot sign in.",
  fix: "Accept the response: it is valid.",
};

const leftToClients: AttackAdvice = {
  gain: "Nothing that the specifications name: they leave it to the client.",
  fix: "Decide whether your application accepts it.",
};

/**
 * The worst first: what a link suffices for, then what takes a forged or foreign token, by what it
 * gains: any account, another's account, their own in its place.
 */
const severities: readonly RegExp[] = [
  /^callback\.(wrong_state|without_state|fixated_session|foreign_code)$/,
  /^(id_token|jarm|userinfo)\..*(alg_none|foreign_sig|hs256|encrypted_unsigned)|^jwks\./,
  /^id_token\..*(sub|aud|azp|iss)|foreign_code|fixated|^metadata\./,
  /^callback\.|^jarm\.|^id_token\..*nonce/,
  /^(refresh|userinfo)\.|expired|without_exp/,
];

/** Returns how bad it is if an application handles a variant wrongly: 0 is the worst. */
export function severityOf({ fault, expectation }: DrillVariant): number {
  const severity = severities.findIndex((pattern) => pattern.test(fault));
  if (expectation !== "refuse") return severities.length + 1;
  return severity < 0 ? severities.length : severity;
}

/** Describes a variant as a finding about it does. */
export function describeVariant(variant: DrillVariant): DescribedVariant {
  const { fault: id } = variant;
  return { id, title: mistakeOf(variant), ...adviceFor(variant), ...basisIn(variant) };
}

function adviceFor({ fault, expectation }: DrillVariant): AttackAdvice {
  const [, loss, remedy] = losses.find(([pattern]) => pattern.test(fault)) ?? [];
  if (loss !== undefined && remedy !== undefined) return { gain: loss, fix: remedy };
  if (expectation === "accept") return validResponse;
  if (expectation === "either") return leftToClients;
  const [, gain, fix] = attacks.find(([pattern]) => pattern.test(fault)) ?? [];
  return gain === undefined || fix === undefined ? anyAttack : { gain, fix };
}
