import fc, { type Arbitrary } from "fast-check";
import { challenge, verifier } from "../../../support/kit.ts";
import { anyText, applyEdit, mutated, textEdit } from "./texts.ts";
import { anyJsonText, anyJwt, anyUri } from "./values.ts";

const constants = (...values: string[]) => fc.constantFrom(...values);

const grant = "urn:ietf:params:oauth:grant-type:";
const tokenType = "urn:ietf:params:oauth:token-type:";

/** The parameters of every endpoint, each with values that are valid or almost so. */
export const parameterValues: Readonly<Record<string, Arbitrary<string>>> = {
  response_type: constants("code", "token", "id_token", "code id_token", "none"),
  client_id: constants("demo-spa", "demo-web", "demo-cli", "demo-service", "demo-jwt", "nobody"),
  client_secret: constants("demo-web-secret", "demo-service-secret", "wrong"),
  redirect_uri: fc.oneof(fc.constant("https://hallpass.test/authorized"), anyUri),
  post_logout_redirect_uri: fc.oneof(fc.constant("https://hallpass.test/"), anyUri),
  scope: mutated(constants("openid", "openid profile read", "read", "offline_access", "admin")),
  state: anyText,
  nonce: anyText,
  code_challenge: mutated(fc.constant(challenge)),
  code_challenge_method: mutated(constants("S256", "plain")),
  code_verifier: mutated(fc.constant(verifier)),
  response_mode: constants("query", "fragment", "form_post", "jwt", "query.jwt", "x"),
  prompt: mutated(constants("none", "login", "consent", "select_account", "login consent")),
  max_age: mutated(constants("0", "1", "3600", "-1", "1e3")),
  login_hint: fc.oneof(constants("alice", "bob"), anyText),
  ui_locales: mutated(constants("de", "ar en", "de-DE-1996", "x-a")),
  claims_locales: anyText,
  acr_values: mutated(constants("urn:a", "pwd mfa")),
  id_token_hint: anyJwt,
  claims: fc.oneof(
    mutated(constants('{"userinfo":{"email":null},"id_token":{"sub":{"value":"alice"}}}')),
    anyJsonText,
  ),
  authorization_details: fc.oneof(mutated(constants('[{"type":"payment"}]')), anyJsonText),
  resource: fc.oneof(constants("https://api.example", "https://hallpass.test"), anyUri),
  audience: fc.oneof(constants("https://api.example"), anyUri),
  dpop_jkt: mutated(fc.constant(challenge)),
  request: anyJwt,
  request_uri: mutated(constants("urn:ietf:params:oauth:request_uri:x", "https://a.example/r")),
  registration: anyJsonText,
  grant_type: mutated(constants(
    ...["authorization_code", "refresh_token", "client_credentials", "password", "implicit"],
    ...[`${grant}device_code`, `${grant}token-exchange`, `${grant}jwt-bearer`],
  )),
  code: anyText,
  refresh_token: anyText,
  device_code: anyText,
  user_code: mutated(constants("BCDF-GHJK", "bcdfghjk")),
  token: fc.oneof(anyJwt, anyText),
  token_type_hint: constants("access_token", "refresh_token", "id_token", "x"),
  assertion: anyJwt,
  client_assertion: anyJwt,
  client_assertion_type: mutated(
    constants("urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
  ),
  subject_token: fc.oneof(anyJwt, anyText),
  subject_token_type: mutated(
    constants(`${tokenType}access_token`, `${tokenType}id_token`, `${tokenType}jwt`),
  ),
  actor_token: anyJwt,
  actor_token_type: mutated(constants(`${tokenType}access_token`)),
  requested_token_type: mutated(constants(`${tokenType}access_token`, `${tokenType}id_token`)),
  error: anyText,
  error_description: anyText,
  iss: anyUri,
  username: fc.oneof(constants("alice", "bob"), anyText),
  password: fc.oneof(constants("alice", "bob"), anyText),
  decision: mutated(constants("allow", "deny")),
  account: mutated(constants("this", "another")),
  form_token: anyText,
};

const names = Object.keys(parameterValues);

/** The name and value of a parameter. */
export type Pair = [name: string, value: string];

/** Any parameter with a fitting value, or with any text. */
export const anyPair: Arbitrary<Pair> = fc.constantFrom(...names).chain((name) => {
  const fitting = parameterValues[name] ?? anyText;
  return fc.tuple(fc.constant(name), fc.oneof({ arbitrary: fitting, weight: 4 }, anyText));
});

/** A list of parameters, as a client may send them. */
export const anyPairs: Arbitrary<Pair[]> = fc.array(
  fc.oneof({ arbitrary: anyPair, weight: 8 }, fc.tuple(anyText, anyText)),
  { maxLength: 12 },
);

/** Encodes parameters as forms do. A lone surrogate has no UTF-8. */
export function encodePairs(pairs: readonly Pair[]): string {
  return new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
}

/** A query or a form as it arrives: almost well-formed, but without lone surrogates. */
export const anyForm: Arbitrary<string> = fc.tuple(
  anyPairs.map(encodePairs),
  fc.array(textEdit, { maxLength: 2 }),
).map(([text, edits]) => edits.reduce(applyEdit, text).toWellFormed());
