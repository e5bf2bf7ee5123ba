import { assertEquals } from "@std/assert";
import { createLocalJWKSet, type JSONWebKeySet } from "jose";
import type { ClientConfig, Config, RegistrationConfig } from "../../src/server/features.ts";
import type { OutboundFetch } from "../../src/server/http/outbound_fetch.ts";
import { featureFixtures } from "../features.ts";
import {
  answerPages,
  type Browser,
  type Page,
  readForm,
  type UserActions,
} from "../support/browser.ts";
import { assertionClaims, assertionType, type ClientKey } from "../support/client_key.ts";
import { basic, type Fields, read, type ReadResponse } from "../support/flow_kit.ts";
import { openPublicKit, type PublicKit } from "../support/public_kit.ts";
import { register } from "../support/registration.ts";
import type { ResponseBody } from "../support/wire.ts";

/** How the suite's client became known: an operator configured it, or it registered itself. */
export type Registration = "configured" | "registered";

export const registrations: readonly Registration[] = [
  "configured",
  ...featureFixtures.flatMap(({ suiteClients = [] }) => suiteClients),
];

/** Chosen by the plans "basic" and "form post". */
export type SuiteResponseMode = "query" | "form_post";

export const callbackUri = "https://suite.example/callback";

const initialAccessToken = "the-initial-access-token-of-the-suite";

/** The leniencies that the certification of registered clients needs; each is off by default. */
const leniencies: RegistrationConfig = {
  initialAccessToken,
  trusted: true,
  pkce: "optional",
  assertionAudience: "token-endpoint",
};

/** The members of a client that the plans set, and their names in a registration. */
const metadataNames = {
  redirectUris: "redirect_uris",
  grantTypes: "grant_types",
  postLogoutRedirectUris: "post_logout_redirect_uris",
  backchannelLogoutUri: "backchannel_logout_uri",
  frontchannelLogoutUri: "frontchannel_logout_uri",
  jwks: "jwks",
  jwksUri: "jwks_uri",
  requestUris: "request_uris",
  requestObjectAlg: "request_object_signing_alg",
  userinfoAlg: "userinfo_signed_response_alg",
  idTokenAlg: "id_token_signed_response_alg",
} as const;

export interface SuiteOptions {
  registration?: Registration;
  responseMode?: SuiteResponseMode;
  client?: Partial<ClientConfig>;
  /** Signs the client's assertions; without it, the client has a secret. */
  key?: ClientKey;
  /** Answers the server's own requests, such as those to a client's `jwks_uri`. */
  fetch?: OutboundFetch;
  /** Further settings of the server at which the client registers. */
  config?: Partial<Config>;
}

/** Where an authorization request ended: at the callback, or on one of our pages. */
export interface AuthorizationOutcome {
  /** The parameters of the authorization response; none if the browser ended on a page. */
  parameters: URLSearchParams;
  page: Page;
}

/** A server, and one client that tests it as the certification suite does. */
export interface Suite {
  kit: PublicKit;
  clientId: string;
  /** The fields by which the client authenticates with `client_secret_post`. */
  secretFields: Fields;
  /** Returns the URL of an authorization request, with a module's changes. */
  urlOf(changes?: Fields): string;
  authorize(
    changes?: Fields,
    browser?: Browser,
    actions?: UserActions,
  ): Promise<AuthorizationOutcome>;
  /** Opens a URL as a user who signs in and decides. */
  follow(url: string, browser?: Browser, actions?: UserActions): Promise<AuthorizationOutcome>;
  /** Sends a token request as the authenticated client. */
  token(fields: Fields): Promise<ReadResponse>;
  redeem(code: string, changes?: Fields): Promise<ReadResponse>;
  /** Completes the whole flow. */
  tokens(changes?: Fields, browser?: Browser): Promise<ResponseBody>;
  userinfo(accessToken: string): Promise<ReadResponse>;
  keys(): Promise<ReturnType<typeof createLocalJWKSet>>;
}

export async function openSuite(options: SuiteOptions = {}): Promise<Suite> {
  const { registration = "configured", responseMode = "query", client = {}, key, fetch } = options;
  const settings: Partial<ClientConfig> = {
    redirectUris: [callbackUri],
    grantTypes: ["authorization_code", "refresh_token"],
    ...key && keySettings(key, client),
    ...client,
  };
  const { kit, id, secret } = registration === "configured"
    ? openConfigured(settings, fetch)
    : await openRegistered(settings, fetch, options.config);
  const suite: Suite = {
    kit,
    clientId: id,
    secretFields: { client_id: id, client_secret: secret },
    urlOf: (changes = {}) =>
      kit.authorizationUrl({
        client_id: id,
        redirect_uri: callbackUri,
        scope: "openid",
        nonce: "a-nonce",
        code_challenge: undefined,
        code_challenge_method: undefined,
        ...responseMode === "form_post" && { response_mode: responseMode },
        ...changes,
      }),
    authorize: (changes, browser, actions) => suite.follow(suite.urlOf(changes), browser, actions),
    async follow(url, browser = kit.browser(), actions) {
      const page = await answerPages(browser, await browser.open(url), actions);
      return { parameters: readParameters(page), page };
    },
    async token(fields) {
      if (key === undefined) return await kit.token(fields, basic(id, secret));
      // The suite names the token endpoint as the audience, which is a leniency.
      const claims = { ...assertionClaims(kit, id), aud: `${kit.issuer}/oauth2/token` };
      return await kit.token({
        client_assertion_type: assertionType,
        client_assertion: await key.sign(claims),
        ...fields,
      });
    },
    redeem: (code, changes = {}) => {
      const fields = { grant_type: "authorization_code", code, redirect_uri: callbackUri };
      return suite.token({ ...fields, ...changes });
    },
    async tokens(changes, browser) {
      const { parameters } = await suite.authorize(changes, browser);
      const { status, body } = await suite.redeem(codeOf(parameters));
      assertEquals([status, body.error], [200, undefined]);
      return body;
    },
    userinfo: (token) => kit.userinfo(token),
    keys: async () => {
      const { text } = await read(await kit.get("/oauth2/jwks"));
      return createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
    },
  };
  return suite;
}

/** Returns the code of an authorization response, which must be a success. */
export function codeOf(parameters: URLSearchParams): string {
  assertEquals(parameters.get("error"), null);
  return parameters.get("code") ?? "";
}

function keySettings(
  { publicJwk }: ClientKey,
  { jwksUri }: Partial<ClientConfig>,
): Partial<ClientConfig> {
  const authentication: ClientConfig["authentication"] = ["private_key_jwt"];
  return jwksUri ? { authentication } : { authentication, jwks: { keys: [publicJwk] } };
}

function openConfigured(settings: Partial<ClientConfig>, fetch: OutboundFetch | undefined) {
  const secret = "the-secret-of-the-suite";
  const isConfidential = settings.jwks === undefined && settings.jwksUri === undefined;
  const client: ClientConfig = {
    id: "suite",
    pkce: "optional",
    // It warns of claims in ID tokens that section 5.4 has in userinfo.
    idTokenClaims: "minimal",
    ...isConfidential && { secret },
    ...settings,
  };
  const kit = openPublicKit({ clients: [client], ...fetch && { fetch } });
  return { kit, id: client.id, secret };
}

async function openRegistered(
  settings: Partial<ClientConfig>,
  fetch: OutboundFetch | undefined,
  config: Partial<Config> | undefined,
) {
  const outbound = fetch && { fetch, fetchUntrusted: fetch };
  const kit = openPublicKit({ registration: leniencies, ...outbound, ...config });
  const { authentication: [token_endpoint_auth_method = "client_secret_basic"] = [] } = settings;
  const members = Object.entries(metadataNames)
    .map(([name, wire]) => [wire, settings[name as keyof typeof metadataNames]]);
  const metadata = { ...Object.fromEntries(members), token_endpoint_auth_method };
  const { status, body } = await register(kit, metadata, initialAccessToken);
  assertEquals([status, body.error_description], [201, undefined]);
  return { kit, id: body.client_id, secret: body.client_secret };
}

/** Reads an authorization response from a redirect, or from the form that carries it by POST. */
function readParameters(page: Page): URLSearchParams {
  if (page.status === 303) return new URL(page.url).searchParams;
  if (!page.html.includes('id="form-post"')) return new URLSearchParams();
  const { action, hidden } = readForm(page, "form-post");
  assertEquals(action, callbackUri);
  return new URLSearchParams(hidden);
}
