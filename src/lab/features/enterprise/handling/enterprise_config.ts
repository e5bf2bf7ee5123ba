import { addressesOf } from "../../../../server/config/addresses.ts";
import type { KeyMaker } from "../../../../server/config/policies.ts";
import type { ClientConfig, TrustedIssuerConfig } from "../../../../server/features.ts";
import {
  jwtBearerGrantType,
  tokenExchangeGrantType,
} from "../../../../server/protocol/grant_types.ts";
import { issuerUrl } from "../../../../server/protocol/issuer_url.ts";
import { tenantPath } from "../../../control/control_path.ts";
import type { CoreTenantConfig } from "../../../core/tenant_config.ts";
import { type DemoAdditions, demoClients } from "../../../demo/demo_clients.ts";
import { demoScopes } from "../../../demo/demo_scopes.ts";
import { demoUsers } from "../../../demo/demo_users.ts";
import type { CoreLabConfig, GivenLabConfig } from "../../../lab_server/core_lab_config.ts";
import { toScopes, withServerScopes } from "../../../lab_server/lab_scopes.ts";
import { companyId } from "../../../recording/tenant_client.ts";
import { mcpPath } from "../../../responses/places.ts";
import { makeTestKey } from "../../../tokens/test_keys.ts";
import { LabError } from "../../../util/lab_error.ts";
import { demoIssuer } from "../../assertions/demo.ts";
import { mcpUrl } from "../../mcp/util/mcp_place.ts";
import { noRegistration } from "../../registration/config.ts";
import { idJagsFor } from "../../token_exchange/demo.ts";
import { companyClient, enterprisePolicy, mcpClient, mcpScopes } from "./enterprise_parties.ts";

/** The scopes about users. Those of the MCP server are not for tokens of the company. */
const companyScopes = Object.fromEntries(
  Object.entries(demoScopes).filter(([name]) => !mcpScopes.includes(name)),
);

const mcpClientConfig: ClientConfig = {
  ...mcpClient,
  name: "Agent",
  grantTypes: [jwtBearerGrantType],
  scopes: [...mcpScopes],
};

/**
 * Returns what is added to the settings of a lab whose MCP server belongs to an enterprise: it redeems the ID-JAGs
 * of the company, and has a client that brings them.
 *
 * @throws {LabError} A setting does not fit an enterprise; the message lists every one.
 */
export function withEnterprise(
  given: GivenLabConfig,
  demo: readonly DemoAdditions[],
): GivenLabConfig {
  if (!isReadable(given)) return {};
  checkEnterprise(given);
  const config = withServerScopes(given);
  const { clients = demoClients(config, demo), trustedIssuers = [demoIssuer()] } = config;
  return {
    resources: given.resources ?? mcpUrls(given),
    clients: withEntry(clients, mcpClientConfig, ({ id }) => id),
    trustedIssuers: withEntry(trustedIssuers, trustInCompany(config), ({ issuer }) => issuer),
    policies: { makeKey: everySecondKey(0), ...given.policies },
  };
}

/** Returns the settings of the tenant that is the identity provider of the company. */
export function companyConfig(config: CoreLabConfig): CoreTenantConfig {
  const { issuer, frontChannelUrl = issuer, users = demoUsers, signIn, redirectUris = [] } = config;
  const company = companyIssuer(issuer);
  return {
    id: companyId,
    users,
    resources: [company],
    scopes: companyScopes,
    clients: [companyClientConfig(config, [
      issuerUrl(frontChannelUrl, `${tenantPath(companyId)}/authorized`),
      ...redirectUris,
    ])],
    grantTypes: ["authorization_code", "refresh_token", tokenExchangeGrantType],
    trustedIssuers: [],
    ...noRegistration,
    signInByHint: true,
    ...signIn !== undefined && { signIn },
    ...config.seed !== undefined && { seed: `${config.seed} ${companyId}` },
    policies: { makeKey: everySecondKey(1) },
  };
}

/**
 * Checks that a lab can be part of an enterprise.
 *
 * @throws {LabError} A setting does not fit; the message lists every one.
 */
function checkEnterprise(config: CoreLabConfig): void {
  const { profile = "oauth-2.1", grantTypes, scopes = demoScopes } = config;
  const played = ["provider", "providers", "dialect"]
    .filter((name) => Reflect.get(config, name) !== undefined);
  const known = Object.keys(toScopes(scopes) ?? {});
  const missing = mcpScopes.filter((token) => !known.includes(token));
  const problems = [
    ...played.map((name) => `'${name}' cannot be combined with 'enterprise'`),
    ...profile === "fapi-2.0" ? ["the profile fapi-2.0 has no clients with a secret"] : [],
    ...missing.length > 0 ? [`the scopes of the lab lack ${missing.join(" and ")}`] : [],
    ...grantTypes?.includes(jwtBearerGrantType) === false
      ? [`'grantTypes' lacks ${jwtBearerGrantType}`]
      : [],
  ];
  if (problems.length === 0) return;
  throw new LabError(`Cannot open an enterprise: ${problems.join("; ")}.`);
}

/** Whether all that the enterprise depends on can be read. If not, the server reports it. */
function isReadable(given: GivenLabConfig): given is CoreLabConfig {
  const { issuer = "", users = [], clients = [], trustedIssuers = [], grantTypes = [] } = given;
  const lists: unknown[] = [users, clients, trustedIssuers, grantTypes];
  const areLists = lists.every((list) => Array.isArray(list) && !list.includes(null));
  return areLists && URL.canParse(issuer);
}

/** A configuration that a lab saved has the entries of the enterprise already. */
function withEntry<T>(entries: readonly T[], added: T, keyOf: (entry: T) => string): T[] {
  const isPresent = entries.some((entry) => keyOf(entry) === keyOf(added));
  return isPresent ? [...entries] : [...entries, added];
}

function companyClientConfig(
  { issuer, users = demoUsers }: CoreLabConfig,
  redirectUris: string[],
): ClientConfig {
  return {
    ...companyClient,
    name: "Agent",
    // A program on this machine may listen on any port.
    native: true,
    redirectUris: [...redirectUris, "http://localhost/callback", "http://127.0.0.1/callback"],
    grantTypes: ["authorization_code", "refresh_token", tokenExchangeGrantType],
    ...idJagsFor({
      audience: issuer,
      resource: issuerUrl(issuer, mcpPath),
      clientId: mcpClient.id,
      scopes: [...mcpScopes],
      users: enterprisePolicy(users),
    }),
  };
}

/** The company speaks for its employees, and for no other user. */
function trustInCompany(
  { issuer, users = demoUsers }: CoreLabConfig,
): TrustedIssuerConfig {
  const company = companyIssuer(issuer);
  return {
    issuer: company,
    jwksUri: issuerUrl(company, "/oauth2/jwks"),
    clients: [mcpClient.id],
    scopes: [...mcpScopes],
    users: Object.fromEntries(users.map(({ name, sub = name }) => [sub, name])),
    idJagOnly: true,
  };
}

function companyIssuer(issuer: string): string {
  return issuerUrl(issuer, tenantPath(companyId));
}

/** Returns the URLs of the MCP server, by each name of this machine. */
function mcpUrls(config: CoreLabConfig): string[] {
  const { addresses } = addressesOf(config);
  const names = addresses.flatMap((address) =>
    ["localhost", "127.0.0.1", "[::1]"].map((name) => {
      const url = new URL(address);
      url.hostname = name;
      return mcpUrl(url, addresses);
    })
  );
  return [...new Set([issuerUrl(config.issuer, mcpPath), ...names])];
}

/** The keys for tests are the same in every lab: each server has half of them. */
function everySecondKey(first: 0 | 1): KeyMaker {
  return (alg, id, generation) => makeTestKey(alg, id, 2 * generation + first);
}
