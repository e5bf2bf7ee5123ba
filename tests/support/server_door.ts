/**
 * The inside door of the server: the modules from which the lab and the program import, and why.
 * What the package `hallpass` itself exports is open to everyone and needs no entry.
 */

/** Modules with the words of the server: helpers, settings, requests and rules. */
export const vocabulary: Readonly<Record<string, string>> = {
  "config/addresses.ts": "the doctor and the pages of a lab show the addresses of a server",
  "config/endpoint_paths.ts": "a recorded request has the name of its endpoint",
  "config/link_schemas.ts": "settings and bodies beside those of the server are data like its own",
  "config/make_client.ts":
    "unknown and demo clients, and the defaults of a client; weak secrets are warned of",
  "config/passwords.ts": "`hallpass password` and warnings know the shortest password",
  "config/paths_config.ts": "recorded requests and faults name endpoints",
  "config/policies.ts": "a lab makes keys in place of the server",
  "config/problems.ts": "settings beside those of the server are reported in one style",
  "config/profiles/profiles.ts": "an option and a lab choose a profile",
  "config/schema.ts": "settings and bodies beside those of the server have the same schemas",
  "config/settings.ts": "a lab passes settings on, and makes clients with all that they offer",
  "config/signing_key_config.ts": "a lab publishes the keys of its owner",
  "config/test_settings.ts": "`hallpass serve` refuses settings for tests by name",
  "http/accept.ts": "a path of a lab is a page or JSON",
  "http/application.ts": "a lab and the metrics are applications of their own",
  "http/cors.ts": "clients of the MCP server of a lab run in browsers",
  "http/cookies.ts": "the pages of a lab have cookies of their own",
  "http/incoming_request.ts": "a lab sends requests to its own server, and reads bodies",
  "http/outbound_fetch.ts": "a lab refuses some outbound requests",
  "http/response.ts": "a lab and the metrics respond",
  "http/response_data.ts": "a lab records and changes responses",
  "http/router.ts": "a lab and the metrics have routes; unknown paths are refused as by the server",
  "model/access_token.ts": "a lab changes the claims of opaque tokens; a type of the test kit",
  "model/claims.ts": "demo scopes, and the types of claims on the command line",
  "model/client.ts": "clients as the server knows them, and what refers to one",
  "model/client_config.ts": "the flow builder offers response modes",
  "model/server_metadata.ts": "a lab in the role of a client finds endpoints",
  "model/signing.ts": "algorithms, and the mark of public keys",
  "protocol/acr.ts": "a user for whom a test decides signs in as strongly as a client wants",
  "protocol/authorization_request.ts":
    "a code without a request has the members of one; a rule of response types",
  "protocol/authorization_response.ts": "a lab sends minted codes to a callback",
  "protocol/client_assertion.ts": "a lab recognizes client assertions in a request",
  "protocol/client_key.ts": "a lab verifies what clients signed",
  "protocol/credential_rules.ts": "the report finds requests that break the rules of codes",
  "protocol/form_parameters.ts":
    "a lab reads callbacks and recorded forms, of as many parameters as the server",
  "protocol/grant_types.ts":
    "demo clients, pages and flows of a lab name grants, and who is asked in them",
  "protocol/issuer_url.ts": "URLs and paths of an issuer, and of the tenants of a lab",
  "protocol/jwt.ts": "a lab checks client assertions in the form of a provider, and explains JWTs",
  "protocol/oauth_error.ts": "a lab responds with errors of OAuth",
  "protocol/pkce.ts": "the report finds verifiers that are malformed",
  "protocol/presented_token.ts": "the API of a provider applies the rules for access tokens",
  "protocol/redirect_uri.ts": "redirect URIs of unknown clients, of started flows and of an option",
  "protocol/request_delivery.ts": "a recorded request names a stored one",
  "protocol/response_target.ts": "a lab vouches for the requests that it began itself",
  "protocol/rule.ts": "the interface of a lab applies the rules of JSON bodies",
  "protocol/scope.ts": "scopes are checked and shown",
  "store/batch.ts": "the program measures the batches of a store",
  "store/database_url.ts": "the program opens and backs up the store that a text names",
  "store/postgres.ts": "the program opens the store that a text names",
  "store/redis.ts": "the program opens the store that a text names",
  "store/sqlite.ts": "the program opens the store that a text names",
  "store/store.ts": "a lab keeps no longer ids than a store",
  "store/store_errors.ts":
    "the program waits for a store, and has an exit code for one that cannot be read",
  "util/addresses/ip_address.ts": "certificates of a lab name IP addresses",
  "util/addresses/network.ts": "guesses at the token of a lab count by network",
  "util/addresses/uri.ts": "URLs",
  "util/bytes/der.ts": "a lab makes certificates",
  "util/bytes/encoding.ts": "a lab measures ids in bytes, and shows hashes",
  "util/bytes/pem.ts": "a lab publishes the keys of its owner",
  "util/bytes/read_stream.ts": "a browser of a lab reads bodies",
  "util/crypto/hash.ts": "hashes and comparisons in constant time",
  "util/lazy_module.ts": "code that most labs never run",
  "util/text/error_message.ts": "messages of unknown errors",
  "util/text/shell_quote.ts": "commands to copy",
  "util/text/explain_failure.ts": "drills and commands explain why a request failed",
  "util/text/json.ts": "JSON of unknown shape",
  "util/text/printable.ts": "what comes from outside cannot move the cursor of a terminal",
  "util/text/nearest_name.ts": "suggestions for misspelled names",
  "util/time/duration.ts": "units of time; spans and numbers in words",
  "util/time/promises.ts": "deferred results, and time limits",
  "util/values/bounded_map.ts": "a lab remembers a limited number of things, in limited memory",
  "util/values/memoize.ts": "values that are rarely needed",
  "util/values/members.ts": "members by a name from outside",
};

/** Why the lab or the program needs names of a module inside the server, and which. */
export interface InsideModule {
  why: string;
  names: readonly string[];
}

/** Modules with the working parts of the server. Each further name is one more to keep stable. */
export const inside: Readonly<Record<string, InsideModule>> = {
  "config/profiles/profile.ts": {
    why: "`hallpass check` knows the defaults of a profile",
    names: ["stricterDefaults"],
  },
  "config/check_shape.ts": { why: "a lab relies on the right shape", names: ["checkShape"] },
  "endpoints/home.ts": {
    why: "a lab shows its clients beside what the home page shows",
    names: ["home", "signedInProps"],
  },
  "endpoints/interaction/decide_step.ts": {
    why: "a test decides for a user about a request that reaches no browser",
    names: ["decideStep"],
  },
  "endpoints/responses/page_response.ts": {
    why: "a lab responds with a page that its owner replaced",
    names: ["pageResponse"],
  },
  "endpoints/static_files.ts": {
    why: "a lab serves its files as the server does",
    names: ["staticFileResponse"],
  },
  "endpoints/userinfo.ts": {
    why: "the API of a provider refuses access tokens for the server's reasons",
    names: ["findAccessToken"],
  },
  "grants/one_time_credential.ts": {
    why: "a lab finds which credentials can be used",
    names: ["findStoredRow"],
  },
  "features.ts": {
    why: "the program and a lab create servers with every feature",
    names: [
      "AllowConfig",
      "ClientConfig",
      "Config",
      "Pages",
      "PathsConfig",
      "RegistrationConfig",
      "RegistrationPolicy",
      "TrustedIssuerConfig",
      "configSchema",
      "createFullServer",
      "grantTypes",
      "secretsOfFeatures",
    ],
  },
  "issuer/directory/directory_entries.ts": {
    why: "users and clients of the configuration and the store",
    names: ["listClients", "listUsers"],
  },
  "issuer/authorizations/active_authorization.ts": {
    why: "a code can be used only while its authorization is active",
    names: ["findActiveAuthorization"],
  },
  "issuer/authorizations/authorizations.ts": {
    why: "a lab mints tokens, and the API of a provider revokes in its own way",
    names: ["makeAuthorization", "revokeAuthorization", "storeAuthorization"],
  },
  "issuer/authorizations/consented_request.ts": { why: "a lab mints codes", names: ["issueCode"] },
  "issuer/authorizations/consents.ts": {
    why: "a lab lists consents, and forgets them, so that a user can deny",
    names: ["consentParties", "withdrawConsents"],
  },
  "issuer/authorizations/withdrawals.ts": {
    why: "a minted code is not issued while its consent is withdrawn; a test withdraws one",
    names: ["beginConsent", "disconnectApp"],
  },
  "issuer/clients/clients.ts": {
    why: "no minted token is meant for a client; a lab starts flows of clients",
    names: ["checkNoClientId", "findClient"],
  },
  "issuer/clients/stored_clients.ts": {
    why:
      "`hallpass check` compares stored clients with the profile, and lists what each client may " +
      "do; a lab shows the clients of metadata documents",
    names: ["currentClient", "storedClientProblems"],
  },
  "issuer/requests/id_token_hint.ts": {
    why: "a lab signs again what a secret signed",
    names: ["hmacKeyFor"],
  },
  "issuer/active_features.ts": {
    why:
      "credentials that features issue are known to a lab, as are what waits for its users, and " +
      "where they have their account",
    names: ["Envelope", "OpenRequest", "featuresOf", "pagePath"],
  },
  "issuer/context.ts": {
    why: "what every part of a server works with",
    names: ["Context", "RequestContext", "RequestObserver", "browserEndpointUrl"],
  },
  "issuer/keys/cipher.ts": {
    why: "a backup tells whether it contains clear text",
    names: ["encryptedMark"],
  },
  "issuer/keys/key_ring.ts": {
    why: "`serve` and `hallpass check` advise to replace keys that were stored in clear text",
    names: ["StoredKey", "keysOfAlgorithm"],
  },
  "issuer/keys/secrets_at_rest.ts": {
    why: "readiness decrypts the keys",
    names: ["checkEncryption"],
  },
  "issuer/keys/own_jwt.ts": {
    why: "a lab knows the JWTs again that a test changed, by the encoding of the server",
    names: ["isCanonical"],
  },
  "issuer/limits/guess_limits.ts": {
    why: "a lab limits guesses at its token",
    names: ["limitClientGuesses"],
  },
  "issuer/random.ts": {
    why: "randomness that a seed repeats, and credentials whose values a test chooses",
    names: ["ChooseCredential", "CredentialName", "randomId", "randomSecret"],
  },
  "issuer/records/lock.ts": {
    why: "a command waits for another one, and refuses as the administration does",
    names: ["AdminError", "LockedError", "maxLockTime"],
  },
  "issuer/records/rows.ts": {
    why: "a lab mints what such rows hold",
    names: ["Authorization", "Code", "Session"],
  },
  "issuer/records/table.ts": {
    why: "a lab keeps rows beside those of the server",
    names: ["Table", "forever", "secretTable"],
  },
  "issuer/requests/interactions.ts": {
    why: "a lab finds what a request concerns",
    names: ["findStoredInteraction"],
  },
  "issuer/requests/stored_requests.ts": {
    why: "a lab finds what a request concerns",
    names: ["findStoredRequest"],
  },
  "issuer/sessions/browsers.ts": {
    why: "a lab starts flows in the browser of a user, and guards its forms",
    names: ["Browser", "findBrowser", "findOrCreateBrowser", "formToken"],
  },
  "issuer/store_clock.ts": {
    why: "readiness compares the clocks of server and store",
    names: ["findClockProblem"],
  },
  "issuer/time.ts": {
    why: "times by the clock of the server",
    names: ["fromNow", "lastTokenExpiration", "numericDate", "toMilliseconds"],
  },
  "issuer/tokens/active_tokens.ts": {
    why: "the MCP server of a lab asks whether a token is active, without a request",
    names: ["findActiveToken"],
  },
  "issuer/tokens/issue_tokens.ts": {
    why: "a lab adds ID tokens to authorization responses; a lab mints tokens",
    names: ["TokenResponse", "issueIdToken", "issueTokens"],
  },
  "issuer/users/sign_in_factor.ts": {
    why: "`hallpass check` finds the users whom a demand locks out; a lab needs no device",
    names: ["needsPasskey", "passkeyMethods", "ProvenFactor"],
  },
  "issuer/users/users.ts": { why: "a lab signs in users who exist", names: ["findUser"] },
  "issuer/server_hooks.ts": {
    why: "what a lab passes to its server",
    names: ["AnswerForUser", "AssertionProblem", "ChosenSignIn", "PresumeGrant", "ServerHooks"],
  },
  "pages/access_detail.tsx": {
    why: "on pages of a lab, an identifier breaks where its parts end, and an option not at all",
    names: ["withLineBreaks", "withWholeOptions"],
  },
  "pages/home.tsx": { why: "a lab shows who is signed in", names: ["SignedIn"] },
  "pages/our_files.ts": {
    why: "the pages of a lab use the styles of the server",
    names: ["staticFiles"],
  },
  "pages/static_files.ts": {
    why: "a lab has files of its own",
    names: ["StaticFile", "toStaticFiles"],
  },
  "pages/pages.ts": {
    why: "a lab renders pages, and sees whether its owner replaced one",
    names: ["ourPages", "renderPage"],
  },
  "pages/sign_in.tsx": { why: "a lab adds its users to the sign-in page", names: ["SignIn"] },
  "protocol/client_trust.ts": { why: "a lab hosts documents of clients", names: ["isClientIdUrl"] },
  "server.ts": {
    why: "the program and a lab create servers",
    names: ["InternalServer", "ServerWrapper"],
  },
  "store/sqlite/open_file.ts": {
    why: "`hallpass restore` replaces no file that a server has open",
    names: ["isOpenThoughDeleted"],
  },
  "store/sqlite/schema.ts": {
    why: "a backup is a store of this version",
    names: ["isOfEarlierForm", "isOurs", "readVersion"],
  },
};
