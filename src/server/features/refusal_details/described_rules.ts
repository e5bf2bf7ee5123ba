import type { LoggedDetails, Remedy } from "../../config/events.ts";
import { groupsScope } from "../../model/claims.ts";
import { type Client, isPublic } from "../../model/client.ts";
import { responseModeRules, responseTypeRules } from "../../protocol/authorization_request.ts";
import {
  type ClientAuthentication,
  clientRules,
  describeAuthentication,
  isSecretSent,
  wrongSecret,
} from "../../protocol/client_rules.ts";
import { codeRules } from "../../protocol/credential_rules.ts";
import { grantTypeRules } from "../../protocol/grant_types.ts";
import { type InteractionState, userRules } from "../../protocol/next_step.ts";
import type { OAuthError, RuleSummary } from "../../protocol/oauth_error.ts";
import { challengeRules } from "../../protocol/pkce.ts";
import { resourceRules } from "../../protocol/resource.ts";
import { redirectUriRules } from "../../protocol/response_target.ts";
import { comparedLists, describeValue, type Rule } from "../../protocol/rule.ts";
import { comparedScopes, scopeRules } from "../../protocol/scope.ts";
import { parseAbsoluteUri } from "../../util/addresses/uri.ts";
import { counted } from "../../util/time/duration.ts";

/** The words of a response type, of which a request may have several. */
const responseTypeWords = ["code", "token", "id_token", "none"];

/** The length of a URI that a command repeats, in characters. */
const maxPlainLength = 200;

/** Describes the facts of a rule. Of any other, logs have neither what came nor what was expected. */
const descriptions = new Map<RuleSummary, (facts: unknown) => LoggedDetails>([
  logged(redirectUriRules.present, () => ({ received: "none" })),
  logged(redirectUriRules.registered, ({ redirectUri = "", client }) => ({
    received: wordOf(redirectUri),
    remedy: uriRemedy("redirectUris", client, redirectUri),
  })),
  logged(userRules.may_use, describeGroups),
  logged(codeRules.redirect_uri_present, ({ sent }) => ({ received: wordOf(sent) })),
  logged(codeRules.redirect_uri, ({ sent }) => ({ received: wordOf(sent) })),
  logged(clientRules.known, ({ clientId, documentProblem: problem }) => ({
    received: problem === undefined
      ? wordOf(clientId)
      : `the URL of a metadata document that cannot be used: ${problem}`,
  })),
  logged(clientRules.one_method, ({ methods }) => ({ received: methods.join(" and ") })),
  logged(clientRules.no_secret, describeClient),
  logged(clientRules.authenticated, describeClient),
  logged(scopeRules.allowed, (facts) => {
    const received = comparedScopes.received(facts);
    return { received, remedy: { setting: "scopes", value: received } };
  }),
  logged(scopeRules.granted, (facts) => ({ received: comparedScopes.received(facts) })),
  logged(responseTypeRules.code, ({ received }) => ({ received: responseTypeOf(received) })),
  logged(responseTypeRules.allowed, () => ({
    received: "authorization_code",
    remedy: { setting: "grantTypes", value: "authorization_code" },
  })),
  logged(responseModeRules.allowed, ({ received }) => ({ received: wordOf(received) })),
  logged(grantTypeRules.supported, ({ received }) => ({ received: wordOf(received) })),
  logged(grantTypeRules.allowed, ({ received }) => ({
    received: wordOf(received),
    remedy: { setting: "grantTypes", value: describeValue(received) },
  })),
  logged(challengeRules.present, () => ({ received: "none", remedy: { setting: "pkce" } })),
  logged(challengeRules.or_nonce, (facts) => ({
    received: challengeRules.or_nonce.received?.(facts),
    remedy: { setting: "pkce", value: "optional" },
  })),
  logged(challengeRules.method, ({ received }) => ({ received: wordOf(received) })),
  logged(challengeRules.form, (facts) => ({ received: challengeRules.form.received?.(facts) })),
  logged(resourceRules.known, ({ requested }) => ({ received: requested.join(" ") })),
  logged(resourceRules.allowed, (facts) => ({ received: comparedLists.received(facts) })),
  logged(resourceRules.granted, (facts) => ({ received: comparedLists.received(facts) })),
]);

/** Describes what a broken rule was applied to, if logs may have that. */
export function describeFacts({ details: { rule, facts } }: OAuthError): LoggedDetails | undefined {
  return rule && descriptions.get(rule)?.(facts);
}

/** Returns an entry whose facts are those of its rule. */
function logged<Facts>(
  rule: Rule<Facts>,
  describe: (facts: Facts) => LoggedDetails,
): [RuleSummary, (facts: unknown) => LoggedDetails] {
  return [rule, (given) => {
    // An error has the facts of its rule.
    const facts = given as Facts;
    return { expected: rule.expected?.(facts), ...describe(facts) };
  }];
}

function describeClient(facts: ClientAuthentication): LoggedDetails {
  const { client, clientId, used, problem } = facts;
  if (!client) return { received: `the client_id ${wordOf(clientId)}` };
  const received = describeAuthentication(facts);
  if (isPublic(client)) return { received, remedy: { setting: "secret" } };
  if (problem === wrongSecret) return { received, remedy: { setting: "secrets" } };
  // Without its credentials, anyone could imitate the client.
  const isOther = isSecretSent(used) && !client.authentication.includes(used);
  return { received, ...isOther && { remedy: { setting: "authentication", value: used } } };
}

/** The name is that of a user who signed in, not what was typed. */
function describeGroups(
  { user, client: { groups = [] } }: Pick<InteractionState, "user" | "client">,
): LoggedDetails {
  if (!user) return { received: undefined };
  const { name, claims: { [groupsScope]: own = [] }, instance } = user;
  const [value] = groups;
  const kind = instance === undefined ? "configured" : "stored";
  return {
    received: `${name} (groups: ${[own].flat().join(", ") || "none"})`,
    expected: groups.join(" or ") || "no one: the client is for no group",
    remedy: value === undefined ? undefined : { setting: "groups", value, user: { name, kind } },
  };
}

/**
 * Returns how a client could be allowed a URI that is none of its own. The URI is in it only at a
 * scheme, host and port of the client: an administrator may copy what they read.
 */
function uriRemedy(setting: string, { redirectUris }: Client, uri: string): Remedy {
  const url = parseAbsoluteUri(uri);
  if (!url) return { setting };
  const isOwn = redirectUris.some((own) => placeOf(new URL(own)) === placeOf(url));
  if (!isOwn) return { setting, foreignHost: url.host || url.protocol };
  // A query could hold a secret.
  const isPlain = uri.length <= maxPlainLength && /^[\x21-\x7e]+$/.test(uri) && !/[?#@]/.test(uri);
  return { setting, ...isPlain && { value: uri } };
}

function placeOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

/** A name or a URI is one word. Any other text may be a password, and only its length is logged. */
function wordOf(value: unknown): string {
  if (typeof value !== "string") return "none";
  return /^\S+$/.test(value) ? value : counted(value.length, "character");
}

function responseTypeOf(value: unknown): string {
  const words = describeValue(value).split(" ");
  return words.every((word) => responseTypeWords.includes(word)) ? words.join(" ") : wordOf(value);
}
