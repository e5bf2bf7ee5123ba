import { clientAuthenticationMethods, responseModes } from "../model/client.ts";
import type { ClientConfig, TokenExchangeConfig } from "../model/client_config.ts";
import { signingAlgorithms } from "../model/signing.ts";
import { duration, flag, listOf, object, oneOf, type Shape, text } from "./shape.ts";
import { acr, century, clientId, keySet, scopeToken, uri, url } from "./value_shapes.ts";

const tokenExchange = object<TokenExchangeConfig>({
  "subjects?": listOf(clientId),
  audiences: listOf(text),
  "impersonation?": flag,
  "delegation?": flag,
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
  "jwks?": keySet,
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
