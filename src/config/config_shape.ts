import { signingAlgorithms } from "../model/signing.ts";
import type { Pages } from "../pages/pages.ts";
import { type AuthorizationDetailType, fieldKinds } from "../protocol/authorization_details.ts";
import type { TrustedIssuer } from "../protocol/bearer_assertion.ts";
import { dpopAlgorithms } from "../protocol/dpop_proof.ts";
import { day, hour, minute, second } from "../util/duration.ts";
import { clientShape } from "./client_shape.ts";
import type { Config, InsecureConfig } from "./config.ts";
import type { Lifetimes } from "./lifetimes.ts";
import type { Policies } from "./policies.ts";
import { profileNames } from "./profiles/profiles.ts";
import type { AllowConfig, RegistrationConfig } from "./registration_config.ts";
import type { ResourceConfig } from "./resource_config.ts";
import type { RouteConfig } from "./route_config.ts";
import {
  anything,
  callable,
  duration,
  either,
  flag,
  listOf,
  mapOf,
  numberFrom,
  object,
  oneOf,
  type Shape,
  text,
  textOr,
  textWhere,
} from "./shape.ts";
import { isSubject, type UserConfig } from "./user_config.ts";
import {
  acr,
  century,
  clientId,
  ipAddress,
  keySet,
  lifetime,
  longSecret,
  scopeToken,
  uri,
  url,
} from "./value_shapes.ts";

/** The kind of a member of authorization details, or the members of its own. */
const detailMember: Shape = (value, path, report) =>
  typeof value === "object"
    ? mapOf(detailMember)(value, path, report)
    : oneOf(...fieldKinds)(value, path, report);

const trustedIssuer = object<TrustedIssuer>({
  issuer: text,
  "jwks?": keySet,
  "jwksUri?": url,
  clients: listOf(clientId),
  "scopes?": listOf(scopeToken),
  "users?": mapOf(text),
});

const subject = textWhere((value) =>
  isSubject(value) ? undefined : "must be up to 255 visible ASCII characters"
);

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

const registration = object<RegistrationConfig>({
  "open?": flag,
  "initialAccessToken?": longSecret,
  "trusted?": flag,
  "pkce?": oneOf("required", "optional"),
  "assertionAudience?": oneOf("issuer", "token-endpoint"),
  "allow?": object<AllowConfig>({
    "scopes?": either("any", listOf(scopeToken)),
    "resources?": either("any", listOf(uri)),
    "authorizationDetailsTypes?": either("any", listOf(text)),
  }),
});

/** What a configuration may look like. What its members say against each other is checked elsewhere. */
export const configShape: Shape = object<Config>({
  issuer: text,
  "frontChannelUrl?": text,
  "backChannelUrl?": text,
  "profile?": oneOf(...profileNames),
  "store?": anything,
  "clients?": listOf(clientShape),
  "users?": listOf(userShape),
  "scopes?": mapOf(text),
  "resources?": either("any", listOf(textOr(uri, resource))),
  "defaultResource?": uri,
  "authorizationDetails?": mapOf(
    object<AuthorizationDetailType>({ meaning: text, members: mapOf(detailMember) }),
  ),
  "policyUri?": url,
  "tosUri?": url,
  "serviceDocumentation?": url,
  "grantTypes?": listOf(text),
  "requirePar?": flag,
  "registration?": either("open", registration),
  "registrationsPerMinute?": numberFrom(1),
  "documentsPerMinute?": numberFrom(1),
  "storedBytesPerMinute?": numberFrom(1),
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
  "policies?": object<Partial<Policies>>({
    "authenticate?": callable,
    "passwords?": anything,
    "makeKey?": callable,
  }),
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
  "routes?": listOf(object<RouteConfig>({
    method: oneOf("GET", "POST", "PUT", "DELETE"),
    path: textWhere((value) => value.startsWith("/") ? undefined : "must begin with '/'"),
    handler: callable,
    kind: oneOf("page", "api"),
    "cors?": flag,
    "enabled?": flag,
  })),
  "notice?": text,
  "hints?": flag,
  "guessesPerMinute?": numberFrom(1),
  "trustedProxies?": listOf(ipAddress),
  "insecure?": object<InsecureConfig>({
    "httpIssuer?": flag,
    "httpRedirectUris?": flag,
    "privateFetches?": flag,
  }),
  "fetch?": callable,
  "fetchUntrusted?": callable,
  "now?": callable,
  "randomBytes?": callable,
  "onEvent?": callable,
});
