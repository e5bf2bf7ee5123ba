import { grantTypesOf } from "../../server/config/make_client.ts";
import { type ClientConfig, type Config, grantTypes as everyGrant } from "../../server/features.ts";
import { isApiScope } from "../../server/model/claims.ts";
import {
  cibaGrantType,
  deviceCodeGrantType,
  jwtBearerGrantType,
  tokenExchangeGrantType,
} from "../../server/protocol/grant_types.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { demoPublicKey } from "./demo_keys.ts";
import { demoScopes } from "./demo_scopes.ts";

const serviceId = "demo-service";

/** The settings that the demo clients depend on. */
interface DemoConfig
  extends Pick<Config, "issuer" | "frontChannelUrl" | "profile" | "scopes" | "grantTypes"> {
  /** Additional redirect URIs. */
  redirectUris?: readonly string[] | undefined;
}

/** What a feature adds to the demo clients. */
export interface DemoAdditions {
  /** Returns settings of a client that users sign in to, by the home page and added redirect URIs. */
  ofApplication?(home: string, redirectUris: readonly string[]): Partial<ClientConfig>;
  /** Returns settings of the service, by the grants that it may use. */
  ofService?(grantTypes: readonly string[]): Partial<ClientConfig>;
}

/**
 * Returns one client of every kind that the profile allows. They differ in how they authenticate.
 * They follow the configured scopes and grants: a client that no grant is left for is left out.
 */
export function demoClients(
  config: DemoConfig,
  additions: readonly DemoAdditions[],
): ClientConfig[] {
  const { scopes = demoScopes, grantTypes = everyGrant } = config;
  const { issuer, frontChannelUrl = issuer, redirectUris = [], profile } = config;
  const isFapi = profile === "fapi-2.0";
  const clients = isFapi ? demoFapiClients(frontChannelUrl, redirectUris) : strictClients(config);
  const home = issuerUrl(frontChannelUrl, "/");
  const added: Partial<ClientConfig> = Object.assign(
    {},
    ...additions.map((each) => each.ofApplication?.(home, isFapi ? [] : redirectUris)),
  );
  return clients.map((client) => client.redirectUris ? { ...client, ...added } : client)
    .flatMap((client) => fitClient(client, scopes, grantTypes))
    .map((client) => {
      if (client.id !== serviceId) return client;
      const { grantTypes = [] } = client;
      return Object.assign({}, client, ...additions.map((each) => each.ofService?.(grantTypes)));
    });
}

function serviceScopes(scopes: NonNullable<Config["scopes"]>): string[] {
  return Object.entries(scopes)
    .filter(([name, scope]) => isApiScope(name, { ownGroups: false }) && typeof scope === "string")
    .map(([name]) => name);
}

/** Limits a client to the scopes and grants of the server. */
function fitClient(
  client: ClientConfig,
  scopes: NonNullable<Config["scopes"]>,
  grantTypes: readonly string[],
): ClientConfig[] {
  const usable = grantTypesOf(client).filter((type) => grantTypes.includes(type));
  if (!usable.some((type) => type !== "refresh_token")) return [];
  const { defaultScope = [], ...rest } = client;
  const knownDefault = defaultScope.filter((token) => Object.hasOwn(scopes, token));
  return [{
    ...rest,
    ...client.grantTypes && { grantTypes: usable },
    // A service that acts for itself has the scopes of APIs, and none that describe a user.
    ...client.scopes && { scopes: serviceScopes(scopes) },
    ...knownDefault.length > 0 && { defaultScope: knownDefault },
  }];
}

function strictClients(
  { issuer, frontChannelUrl = issuer, redirectUris = [] }: DemoConfig,
): ClientConfig[] {
  const authorized = issuerUrl(frontChannelUrl, "/authorized");
  return [
    {
      id: "demo-spa",
      name: "Demo single-page app",
      redirectUris: [authorized, ...redirectUris],
      defaultScope: ["read"],
    },
    {
      id: "demo-web",
      name: "Demo web app",
      secret: "demo-web-secret",
      authentication: ["client_secret_basic", "client_secret_post"],
      // With a key, it can sign its requests (RFC 9101).
      jwks: { keys: [demoPublicKey] },
      redirectUris: [authorized, ...redirectUris],
      defaultScope: ["read"],
    },
    {
      id: "demo-cli",
      name: "Demo command line",
      native: true,
      grantTypes: ["authorization_code", "refresh_token", deviceCodeGrantType],
      redirectUris: [
        "http://127.0.0.1/callback",
        "http://[::1]/callback",
        "http://localhost/callback",
        ...redirectUris,
      ],
      defaultScope: ["read"],
    },
    {
      id: "demo-agent",
      name: "Demo agent",
      secret: "demo-agent-secret",
      // With a key, it can sign its requests.
      jwks: { keys: [demoPublicKey] },
      authentication: ["client_secret_basic", "client_secret_post"],
      grantTypes: ["refresh_token", cibaGrantType],
      defaultScope: ["openid", "read"],
    },
    {
      id: "demo-jwt",
      name: "Demo service with a key",
      jwks: { keys: [demoPublicKey] },
      scopes: ["read", "write"],
      defaultScope: ["read"],
    },
    {
      id: serviceId,
      name: "Demo service",
      secret: "demo-service-secret",
      scopes: ["read", "write"],
      defaultScope: ["read"],
      // It is the API for tokens without a resource, and may call another one.
      resources: [issuer],
      grantTypes: ["client_credentials", tokenExchangeGrantType, jwtBearerGrantType],
    },
  ];
}

/** Returns the demo clients for the profile fapi-2.0, which authenticate with the demo key. */
function demoFapiClients(
  frontChannelUrl: string,
  redirectUris: readonly string[],
): ClientConfig[] {
  const uris = [issuerUrl(frontChannelUrl, "/authorized"), ...redirectUris];
  const jwks = { keys: [demoPublicKey] };
  return [
    {
      id: "demo-web",
      name: "Demo web app with a key",
      jwks,
      // The profile allows http for clients on the user's machine only, where this lab runs.
      native: uris.some((uri) => uri.startsWith("http:")),
      redirectUris: uris,
      defaultScope: ["read"],
    },
    {
      id: "demo-agent",
      name: "Demo agent with a key",
      jwks,
      grantTypes: ["refresh_token", cibaGrantType],
      defaultScope: ["openid", "read"],
    },
    {
      id: "demo-jwt",
      name: "Demo service with a key",
      jwks,
      scopes: ["read", "write"],
      defaultScope: ["read"],
    },
  ];
}
