import type { JWK } from "jose";
import type { DetailType } from "../protocol/authorization_details.ts";
import { memberKinds } from "../protocol/authorization_details.ts";
import { clientAuthenticationMethods } from "../protocol/client.ts";
import { dpopAlgorithms } from "../protocol/dpop_proof.ts";
import { responseModes } from "../protocol/reply.ts";
import { isResource } from "../protocol/resource.ts";
import { isScopeToken } from "../protocol/scope.ts";
import { signingAlgorithms } from "../protocol/signing.ts";
import type { Pages } from "../pages/pages.ts";
import type {
  ClientConfig,
  Config,
  InsecureConfig,
  Lifetimes,
  ResourceConfig,
  TokenExchangeConfig,
  TrustedIssuerConfig,
  UserConfig,
} from "./config.ts";
import { day, hour, minute, second } from "./duration.ts";
import type { Policies } from "./policies.ts";
import { profileNames } from "./profiles/profiles.ts";
import type { Shape } from "./shape.ts";
import { isSubject } from "./user_config.ts";
import { anything, callable, duration, either, flag, listOf, mapOf, numberFrom, object, oneOf, text, textOr, textWhere } from "./shape.ts";

const uri = textWhere((value) => isResource(value) ? undefined : "must be an absolute URI without a fragment");
const url = textWhere((value) => isResource(value) && /^https?:/i.test(value) ? undefined : "must be a URL without a fragment");
const scopeToken = textWhere((value) => isScopeToken(value) ? undefined : "is not a scope token");
const clientId = textWhere((value) => /^[\x20-\x7e]{1,255}$/.test(value) ? undefined : "must be up to 255 printable ASCII characters");
const subject = textWhere((value) => isSubject(value) ? undefined : "must be up to 255 visible ASCII characters");
const acr = textWhere((value) => /^[\x21-\x7e]+$/.test(value) ? undefined : "must be visible ASCII characters without spaces");
const longSecret = textWhere((value) =>
  value.length >= 32 ? undefined : "must have at least 32 characters; make one with: openssl rand -base64 32"
);
const century = 36_500 * day;
const lifetime = duration(1 * second, century);

/** The kind of a member of authorization details, or the members of its own. */
const detailMember: Shape = (value, path, report) =>
  typeof value === "object" ? mapOf(detailMember)(value, path, report) : oneOf(...memberKinds)(value, path, report);

const tokenExchange = object<TokenExchangeConfig>({
  "subjects?": listOf(clientId),
  audiences: listOf(text),
  "impersonation?": flag,
  "delegation?": flag,
});

const trustedIssuer = object<TrustedIssuerConfig>({
  issuer: text,
  "jwks?": object<{ keys: JWK[] }>({ keys: listOf(mapOf(anything)) }),
  "jwksUri?": url,
  clients: listOf(clientId),
  "scopes?": listOf(scopeToken),
  "users?": mapOf(text),
});

/** What a client's configuration may look like. */
export const clientShape: Shape = object<ClientConfig>({
  id: clientId,
  "name?": text,
  "secret?": text,
  "redirectUris?": listOf(text),
  "grantTypes?": listOf(text),
  "scopes?": listOf(scopeToken),
  "defaultScope?": listOf(scopeToken),
  "authentication?": listOf(oneOf(...clientAuthenticationMethods)),
  "native?": flag,
  "pkce?": oneOf("required", "optional"),
  "redirectUriAtToken?": oneOf("required", "if-present"),
  "responseModes?": listOf(oneOf(...responseModes)),
  "rememberConsent?": flag,
  "introspect?": oneOf("own", "any"),
  "resources?": listOf(uri),
  "accessTokenFormat?": oneOf("jwt", "opaque"),
  "idTokenAlg?": oneOf(...signingAlgorithms),
  "userinfoAlg?": oneOf(...signingAlgorithms),
  "introspectionAlg?": oneOf(...signingAlgorithms),
  "authorizationResponseAlg?": oneOf(...signingAlgorithms),
  "jwks?": object<{ keys: JWK[] }>({ keys: listOf(mapOf(anything)) }),
  "jwksUri?": url,
  "authenticationAlg?": text,
  "assertionAudience?": oneOf("issuer", "token-endpoint"),
  "requestObjectAlg?": text,
  "requireSignedRequest?": flag,
  "requirePar?": flag,
  "dpop?": oneOf("required", "optional"),
  "subjectType?": oneOf("public", "pairwise"),
  "sectorIdentifierUri?": url,
  "postLogoutRedirectUris?": listOf(text),
  "backchannelLogoutUri?": url,
  "frontchannelLogoutUri?": url,
  "defaultMaxAge?": duration(0, century),
  "defaultAcrValues?": listOf(acr),
  "authorizationDetailsTypes?": listOf(text),
  "tokenExchange?": tokenExchange,
  "clientUri?": url,
  "logoUri?": url,
  "policyUri?": url,
  "tosUri?": url,
  "contacts?": listOf(text),
  "initiateLoginUri?": url,
  "disabled?": flag,
});

/** What a user's configuration may look like. */
export const userShape: Shape = object<UserConfig>({
  name: text,
  "sub?": subject,
  "password?": text,
  "passwordHash?": text,
  "claims?": mapOf(anything),
  "disabled?": flag,
});

const resource = object<ResourceConfig>({
  uri,
  "scopes?": listOf(scopeToken),
  "accessTokenFormat?": oneOf("jwt", "opaque"),
  "accessTokenLifetime?": lifetime,
});

/** What a configuration may look like. What its members say against each other is checked elsewhere. */
export const configShape: Shape = object<Config>({
  issuer: text,
  "frontChannel?": text,
  "backChannel?": text,
  "profile?": oneOf(...profileNames),
  "store?": anything,
  "clients?": listOf(clientShape),
  "users?": listOf(userShape),
  "scopes?": mapOf(text),
  "resources?": either("any", listOf(textOr(uri, resource))),
  "defaultResource?": uri,
  "authorizationDetails?": mapOf(object<DetailType>({ meaning: text, members: mapOf(detailMember) })),
  "grantTypes?": listOf(text),
  "requirePar?": flag,
  "registration?": either("open", object<{ initialAccessToken: string }>({ initialAccessToken: longSecret })),
  "registrationsPerMinute?": numberFrom(1),
  "clientMetadataDocuments?": flag,
  "errorsAfterSignIn?": flag,
  "trustedIssuers?": listOf(trustedIssuer),
  "alg?": oneOf(...signingAlgorithms),
  "dpopAlgs?": listOf(oneOf(...dpopAlgorithms)),
  "dpopNonces?": flag,
  "keyRotation?": either("never", duration(1 * hour, century)),
  "keyOverlap?": duration(10 * minute, century),
  "idTokenAlgs?": listOf(oneOf(...signingAlgorithms)),
  "acrValues?": listOf(acr),
  "lifetimes?": object<Partial<Lifetimes>>({
    "code?": duration(1 * second, 10 * minute),
    "deviceCode?": duration(1 * minute, 1 * hour),
    "accessToken?": lifetime,
    "idToken?": lifetime,
    "refreshToken?": lifetime,
    "refreshIdle?": lifetime,
    "session?": lifetime,
    "pushedRequest?": duration(1 * second, 10 * minute - 1 * second),
    "interaction?": duration(1 * minute, 1 * day),
    "unusedClient?": lifetime,
  }),
  "refreshTokens?": oneOf("rotate", "keep"),
  "refreshReuseGrace?": duration(0, 1 * minute),
  "secret?": longSecret,
  "policies?": object<Partial<Policies>>({ "authenticate?": callable, "passwords?": anything, "makeKey?": callable }),
  "pages?": object<Partial<Pages>>({
    "home?": callable,
    "signIn?": callable,
    "selectAccount?": callable,
    "consent?": callable,
    "device?": callable,
    "deviceDone?": callable,
    "signOut?": callable,
    "signedOut?": callable,
    "account?": callable,
    "authorized?": callable,
    "formPost?": callable,
    "error?": callable,
  }),
  "notice?": text,
  "hints?": flag,
  "guessesPerMinute?": numberFrom(1),
  "trustedProxies?": listOf(text),
  "insecure?": object<InsecureConfig>({ "httpIssuer?": flag, "httpRedirectUris?": flag, "privateFetches?": flag }),
  "fetch?": callable,
  "fetchUntrusted?": callable,
  "now?": callable,
  "randomBytes?": callable,
  "onEvent?": callable,
});
