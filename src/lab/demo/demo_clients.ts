import { grantTypesOf } from "../../server/config/make_client.ts";
import { type ClientConfig, type Config, grantTypes as everyGrant } from "../../server/features.ts";
import { isApiScope } from "../../server/model/claims.ts";
import {
  deviceCodeGrantType,
  jwtBearerGrantType,
  tokenExchangeGrantType,
} from "../../server/protocol/grant_types.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { exchangesOfService } from "../features/exchange/demo.ts";
import { seesEveryToken } from "../features/introspection/demo.ts";
import { homeAfterLogout } from "../features/logout/demo.ts";
import { demoPublicKey } from "./demo_keys.ts";
import { demoScopes } from "./demo_scopes.ts";
import { demoFapiClients } from "./fapi_clients.ts";

const serviceId = "demo-service";

/** The settings that the demo clients depend on. */
interface DemoConfig
  extends Pick<Config, "issuer" | "frontChannelUrl" | "profile" | "scopes" | "grantTypes"> {
  /** Additional redirect URIs. */
  redirectUris?: readonly string[] | undefined;
}

/**
 * Returns one client of every kind that the profile allows. They differ in how they authenticate.
 * They follow the configured scopes and grants: a client that no grant is left for is left out.
 */
export function demoClients(config: DemoConfig): ClientConfig[] {
  const { scopes = demoScopes, grantTypes = everyGrant } = config;
  const { issuer, frontChannelUrl = issuer, redirectUris = [], profile } = config;
  const isFapi = profile === "fapi-2.0";
  const clients = isFapi ? demoFapiClients(frontChannelUrl, redirectUris) : strictClients(config);
  const added = addedSettings(issuerUrl(frontChannelUrl, "/"), isFapi ? [] : redirectUris);
  return clients.map((client) => client.redirectUris ? { ...client, ...added } : client)
    .flatMap((client) => fitClient(client, scopes, grantTypes));
}

/** What features add to the clients that users sign in to. */
const additions: ReadonlyArray<
  (home: string, redirectUris: readonly string[]) => Partial<ClientConfig>
> = [
  homeAfterLogout,
];

function addedSettings(home: string, redirectUris: readonly string[]): Partial<ClientConfig> {
  return Object.assign({}, ...additions.map((settingsOf) => settingsOf(home, redirectUris)));
}

/** What features add to the service, by the grants that it may use. */
const serviceAdditions: ReadonlyArray<(grantTypes: readonly string[]) => Partial<ClientConfig>> = [
  exchangesOfService,
];

function serviceScopes(scopes: NonNullable<Config["scopes"]>): string[] {
  return Object.entries(scopes)
    .filter(([name, scope]) => isApiScope(name) && typeof scope === "string")
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
  const additionsToService = client.id === serviceId ? serviceAdditions : [];
  const knownDefault = defaultScope.filter((token) => Object.hasOwn(scopes, token));
  return [{
    ...rest,
    ...client.grantTypes && { grantTypes: usable },
    // A service that acts for itself has the scopes of APIs, and none that describe a user.
    ...client.scopes && { scopes: serviceScopes(scopes) },
    ...knownDefault.length > 0 && { defaultScope: knownDefault },
    ...Object.assign({}, ...additionsToService.map((settingsOf) => settingsOf(usable))),
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
      ...seesEveryToken,
      // It is the API for tokens without a resource, and may call another one.
      resources: [issuer],
      grantTypes: ["client_credentials", tokenExchangeGrantType, jwtBearerGrantType],
    },
  ];
}
