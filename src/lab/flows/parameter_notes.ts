/** What a parameter means, in one sentence, with the section that defines it. */
export interface ParameterNote {
  says: string;
  see: string;
}

type NoteTable = Readonly<Record<string, readonly [says: string, see: string]>>;

/** The parameters that clients and browsers send. */
const requestNotes: NoteTable = {
  response_type: [
    "What the client wants back; 'code' asks for an authorization code.",
    "OAuth 2.1, section 4.1.1",
  ],
  client_id: [
    "Names the client. It is public and proves nothing by itself.",
    "OAuth 2.1, section 2.2",
  ],
  redirect_uri: [
    "Where the response goes. It must be registered, character by character.",
    "OAuth 2.1, section 2.3",
  ],
  scope: ["What the client asks to do, as names separated by spaces.", "OAuth 2.1, section 1.4.1"],
  state: [
    "A value of the client's own, returned unchanged, so that it recognizes its own request.",
    "OAuth 2.1, section 4.1.1",
  ],
  nonce: [
    "A random value that the ID token must repeat, so that a stolen one is recognized.",
    "OpenID Connect Core, section 3.1.2.1",
  ],
  code_challenge: [
    "The SHA-256 of a secret that the client keeps until it redeems the code.",
    "RFC 7636, section 4.2",
  ],
  code_challenge_method: [
    "How the challenge was computed from the verifier. Only S256 is safe.",
    "RFC 7636, section 4.3",
  ],
  code_verifier: [
    "The secret behind the code_challenge. Only the client that began the flow knows it.",
    "RFC 7636, section 4.1",
  ],
  response_mode: [
    "How the response travels: in the query, in the fragment, by a form, or signed.",
    "OAuth 2.0 Multiple Response Types, section 2.1",
  ],
  prompt: [
    "Which pages the user must see, or 'none' for no page at all.",
    "OpenID Connect Core, section 3.1.2.1",
  ],
  max_age: [
    "How many seconds ago the user may have signed in at most.",
    "OpenID Connect Core, section 3.1.2.1",
  ],
  login_hint: ["Which user the client expects.", "OpenID Connect Core, section 3.1.2.1"],
  id_token_hint: [
    "An earlier ID token, which shows which user the client means.",
    "OpenID Connect Core, section 3.1.2.1",
  ],
  ui_locales: [
    "The languages that the user reads, the preferred one first.",
    "OpenID Connect Core, section 3.1.2.1",
  ],
  acr_values: [
    "How strong the sign-in should be, the preferred way first.",
    "OpenID Connect Core, section 3.1.2.1",
  ],
  claims: [
    "Single claims that the client asks for, beside those of its scope.",
    "OpenID Connect Core, section 5.5",
  ],
  display: ["The kind of page that fits the device.", "OpenID Connect Core, section 3.1.2.1"],
  resource: ["The API that the access token is for.", "RFC 8707, section 2"],
  audience: ["Who the new token is for.", "RFC 8693, section 2.1"],
  authorization_details: ["Exactly what the client wants to do, as JSON.", "RFC 9396, section 2"],
  request: [
    "The whole request as a signed JWT, which the browser cannot change.",
    "RFC 9101, section 5",
  ],
  request_uri: ["Stands for a request that the client pushed before.", "RFC 9126, section 4"],
  dpop_jkt: ["The thumbprint of the key that the code will be bound to.", "RFC 9449, section 10"],
  grant_type: ["What the client exchanges for tokens.", "OAuth 2.1, section 3.2.2"],
  code: [
    "The authorization code from the callback. It works once, for a few minutes.",
    "OAuth 2.1, section 4.1.3",
  ],
  client_secret: [
    "Proves which client is asking. It never belongs into a browser.",
    "OAuth 2.1, section 2.4.1",
  ],
  client_assertion: [
    "A JWT that the client signed with its own key, instead of a secret.",
    "RFC 7523, section 2.2",
  ],
  client_assertion_type: ["Declares that the assertion is a JWT.", "RFC 7523, section 2.2"],
  refresh_token: [
    "Gets new tokens without the user. It works once; the response has its successor.",
    "OAuth 2.1, section 4.3",
  ],
  token: ["The token that the request is about.", "RFC 7662, section 2.1"],
  token_type_hint: [
    "Which kind of token it probably is. The server finds it anyway.",
    "RFC 7009, section 2.1",
  ],
  subject_token: [
    "The token to exchange: the new one speaks for the same user.",
    "RFC 8693, section 2.1",
  ],
  subject_token_type: ["Which kind of token the subject token is.", "RFC 8693, section 2.1"],
  actor_token: ["The token of the party that acts for the user.", "RFC 8693, section 2.1"],
  actor_token_type: ["Which kind of token the actor token is.", "RFC 8693, section 2.1"],
  requested_token_type: ["Which kind of token the client wants.", "RFC 8693, section 2.1"],
  assertion: [
    "A JWT of a trusted issuer that stands in for the user's sign-in.",
    "RFC 7523, section 2.1",
  ],
  device_code: [
    "The secret with which the device asks whether the user has decided.",
    "RFC 8628, section 3.4",
  ],
  user_code: ["The short code that the user copies from the device.", "RFC 8628, section 3.3"],
  access_token: [
    "The access token. The Authorization header is the better place for it.",
    "OAuth 2.1, section 5.2",
  ],
  post_logout_redirect_uri: [
    "Where the browser goes after the sign-out. It must be registered.",
    "OpenID Connect RP-Initiated Logout, section 2",
  ],
  logout_hint: [
    "Which user should be signed out.",
    "OpenID Connect RP-Initiated Logout, section 2",
  ],
  username: ["The name that the user typed on our page.", "Hallpass's own page"],
  password: [
    "The password that the user typed on our page. No client ever sees it.",
    "OAuth 2.1, section 10",
  ],
  one_click: ["The button of the user who signs in. Only a lab has it.", "Hallpass's own page"],
  decision: ["What the user decided on our page.", "OAuth 2.1, section 4.1.1"],
  form_token: ["Shows that the form comes from our own page.", "RFC 9700, section 4.7"],
};

/** The parameters of an authorization response, which the browser brings to the client. */
const callbackNotes: NoteTable = {
  code: [
    "The authorization code. The client redeems it once, with its code_verifier.",
    "OAuth 2.1, section 4.1.2",
  ],
  state: [
    "The client's own value. Compare it with what you sent, before anything else.",
    "OAuth 2.1, section 4.1.2",
  ],
  iss: [
    "Who sent the response. Compare it with the issuer you asked, against mix-up attacks.",
    "RFC 9207, section 2.4",
  ],
  response: [
    "The whole response as a signed JWT. Verify it before you use the code in it.",
    "JARM, section 2.3",
  ],
};

/** The parameters that the server sends. */
const responseNotes: NoteTable = {
  error: ["Why the request failed, as a code for programs.", "OAuth 2.1, section 3.2.4"],
  error_description: [
    "Why the request failed, in words for developers. Never show it to users.",
    "OAuth 2.1, section 3.2.4",
  ],
  access_token: [
    "Send it to the API in the Authorization header. The client does not look inside.",
    "OAuth 2.1, section 1.4",
  ],
  token_type: [
    "How the access token is presented: Bearer, or with a DPoP proof.",
    "OAuth 2.1, section 3.2.3",
  ],
  expires_in: ["How long the access token lives, in seconds.", "OAuth 2.1, section 3.2.3"],
  refresh_token: [
    "Gets the next access token without the user. Replace the one you have with it.",
    "OAuth 2.1, section 4.3.1",
  ],
  refresh_token_timeout: [
    "How many seconds the refresh token may stay unused.",
    "draft-ietf-oauth-refresh-token-expiration-03, section 6.1",
  ],
  authorization_expires_in: [
    "How many seconds until the client has to ask the user again.",
    "draft-ietf-oauth-refresh-token-expiration-03, section 6.1",
  ],
  id_token: [
    "Identifies who signed in. It is for the client, and never for an API.",
    "OpenID Connect Core, section 2",
  ],
  scope: [
    "What was really allowed. It may be less than the client asked for.",
    "OAuth 2.1, section 3.2.3",
  ],
  authorization_details: ["Exactly what was allowed.", "RFC 9396, section 7"],
  issued_token_type: ["Which kind of token the new one is.", "RFC 8693, section 2.2.1"],
  request_uri: [
    "Stands for the pushed request. The browser takes it to the authorization endpoint.",
    "RFC 9126, section 2.2",
  ],
  device_code: ["The secret with which the device polls.", "RFC 8628, section 3.2"],
  user_code: ["The code that the device shows to its user.", "RFC 8628, section 3.2"],
  verification_uri: ["Where the user enters the code.", "RFC 8628, section 3.2"],
  verification_uri_complete: [
    "The same address with the code in it, for a QR code.",
    "RFC 8628, section 3.2",
  ],
  interval: ["How many seconds the device waits between two polls.", "RFC 8628, section 3.2"],
  active: [
    "Whether the token may be used now. If not, nothing else is revealed.",
    "RFC 7662, section 2.2",
  ],
  sub: [
    "Identifies the user. With the issuer, it is the key to store, never the e-mail address.",
    "OpenID Connect Core, section 5.1",
  ],
  iss: ["Who issued the token.", "RFC 7519, section 4.1.1"],
  client_id: ["The client that got the token.", "RFC 7662, section 2.2"],
  aud: ["Who the token is for. An API rejects tokens for others.", "RFC 7519, section 4.1.3"],
  exp: ["When it expires, in seconds since 1970.", "RFC 7519, section 4.1.4"],
  iat: ["When it was issued, in seconds since 1970.", "RFC 7519, section 4.1.6"],
  jti: ["The id of the token.", "RFC 7519, section 4.1.7"],
  cnf: ["The key that the token is bound to.", "RFC 7800, section 3.1"],
  name: ["The full name of the user, for display.", "OpenID Connect Core, section 5.1"],
  email: [
    "The e-mail address. It may change, and another user may get it later.",
    "OpenID Connect Core, section 5.7",
  ],
  email_verified: [
    "Whether the server has verified the address.",
    "OpenID Connect Core, section 5.1",
  ],
};

/** The headers that matter to the protocol. */
const headerNotes: NoteTable = {
  authorization: [
    "Carries an access token, or the client's id and secret.",
    "RFC 9110, section 11.6.2",
  ],
  dpop: ["A JWT that proves possession of the key a token is bound to.", "RFC 9449, section 4"],
  "dpop-nonce": ["A value that the next DPoP proof must contain.", "RFC 9449, section 8"],
  location: ["Where the browser goes next.", "RFC 9110, section 10.2.2"],
  "www-authenticate": [
    "How the caller has to authenticate, and what was wrong.",
    "RFC 9110, section 11.6.1",
  ],
  "cache-control": ["no-store keeps codes and tokens out of caches.", "OAuth 2.1, section 3.2.3"],
  "content-type": [
    "The format of the body. Token requests are forms, not JSON.",
    "OAuth 2.1, section 3.2",
  ],
  "retry-after": ["When to try again.", "RFC 9110, section 10.2.3"],
  origin: ["The page whose script sends the request.", "Fetch standard, section 3.1"],
};

/** Explains a parameter of a request. */
export function requestNote(name: string): ParameterNote | undefined {
  return noteIn(requestNotes, name);
}

/** Explains a parameter of an authorization response. */
export function callbackNote(name: string): ParameterNote | undefined {
  return noteIn(callbackNotes, name) ?? responseNote(name);
}

/** Explains a parameter of a response. */
export function responseNote(name: string): ParameterNote | undefined {
  return noteIn(responseNotes, name);
}

/** Explains a header; the case of its name does not matter. */
export function headerNote(name: string): ParameterNote | undefined {
  return noteIn(headerNotes, name.toLowerCase());
}

function noteIn(table: NoteTable, name: string): ParameterNote | undefined {
  if (!Object.hasOwn(table, name)) return undefined;
  const [says, see] = table[name] ?? ["", ""];
  return { says, see };
}
