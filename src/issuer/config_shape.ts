import { redirectUriProblem } from "../protocol/redirect_uri.ts";
import { isResource } from "../protocol/resource.ts";
import { isScopeToken } from "../protocol/scope.ts";
import { signingAlgorithms } from "../protocol/signing.ts";
import { day, minute, second } from "./duration.ts";
import type { Shape } from "./shape.ts";
import { anything, callable, duration, flag, listOf, mapOf, object, oneOf, text, where } from "./shape.ts";

const uri: Shape = where(text, (value) => isResource(value) ? undefined : "must be an absolute URI without a fragment");
const redirectUri: Shape = where(text, redirectUriProblem);
const scopeToken: Shape = where(text, (value) => isScopeToken(value) ? undefined : "is not a scope token");
/** An id travels in Basic credentials, URIs and cookies' neighbourhood: visible ASCII (RFC 6749, appendix A.1). */
const clientId: Shape = where(
  text,
  (value) => /^[\x20-\x7e]{1,255}$/.test(value) ? undefined : "must be up to 255 printable ASCII characters",
);

export const clientShape: Shape = object({
  id: clientId,
  "name?": text,
  "secret?": text,
  "redirectUris?": listOf(redirectUri),
  "grantTypes?": listOf(text),
  "scopes?": listOf(scopeToken),
  "defaultScope?": listOf(scopeToken),
  "authentication?": listOf(oneOf("none", "client_secret_basic", "client_secret_post")),
  "native?": flag,
  "pkce?": oneOf("required", "optional"),
  "redirectUriAtToken?": oneOf("required", "if-present"),
  "responseModes?": listOf(oneOf("query", "fragment", "form_post")),
  "rememberConsent?": flag,
  "introspect?": oneOf("own", "any"),
  "resources?": listOf(uri),
  "accessTokenFormat?": oneOf("jwt", "opaque"),
  "idTokenAlg?": oneOf(...signingAlgorithms),
  "disabled?": flag,
});

export const userShape: Shape = object({
  name: text,
  "sub?": where(text, (value) => /^[\x21-\x7e]{1,255}$/.test(value) ? undefined : "must be up to 255 visible ASCII characters"),
  "password?": text,
  "passwordHash?": text,
  "claims?": mapOf(anything),
  "disabled?": flag,
});

const positive: Shape = (value, path, report) => {
  if (typeof value !== "number" || !(value >= 1)) report(path, "must be a number of at least 1");
};

const century = 36_500 * day;

export const configShape: Shape = object({
  issuer: text,
  "store?": anything,
  "clients?": listOf(clientShape),
  "users?": listOf(userShape),
  "scopes?": mapOf(text),
  "resources?": (value, path, report) => value === "any" ? undefined : listOf(uri)(value, path, report),
  "defaultResource?": uri,
  "alg?": oneOf(...signingAlgorithms),
  "lifetimes?": object({
    "code?": duration(1 * second, 10 * minute),
    "accessToken?": duration(1 * second, century),
    "idToken?": duration(1 * second, century),
    "refreshToken?": duration(1 * second, century),
    "refreshIdle?": duration(1 * second, century),
    "session?": duration(1 * second, century),
    "interaction?": duration(1 * minute, 1 * day),
  }),
  "refreshReuseGrace?": duration(0, 1 * minute),
  "secret?": where(
    text,
    (value) => value.length >= 32 ? undefined : "must have at least 32 characters; make one with: openssl rand -base64 32",
  ),
  "policies?": object({ "authenticate?": callable, "passwords?": anything, "makeKey?": callable }),
  "pages?": mapOf(callable),
  "notice?": text,
  "guessesPerMinute?": positive,
  "insecure?": object({ "httpIssuer?": flag }),
  "now?": callable,
  "onEvent?": callable,
});
