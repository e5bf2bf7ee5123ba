import type { Config } from "../src/server/features.ts";
import { accountFixtures } from "./features/account/fixtures.ts";
import { assertionFixtures } from "./features/assertions/fixtures.ts";
import { backchannelLogoutFixtures } from "./features/backchannel_logout/fixtures.ts";
import { cibaFixtures } from "./features/ciba/fixtures.ts";
import { deviceFixtures } from "./features/device/fixtures.ts";
import { documentFixtures } from "./features/documents/fixtures.ts";
import { frontchannelLogoutFixtures } from "./features/frontchannel_logout/fixtures.ts";
import { introspectionFixtures } from "./features/introspection/fixtures.ts";
import { logoutFixtures } from "./features/logout/fixtures.ts";
import { parFixtures } from "./features/par/fixtures.ts";
import { passkeyFixtures } from "./features/passkeys/fixtures.ts";
import { registrationFixtures } from "./features/registration/fixtures.ts";
import { requestUriFixtures } from "./features/request_uris/fixtures.ts";
import { revocationFixtures } from "./features/revocation/fixtures.ts";
import { exchangeFixtures } from "./features/token_exchange/fixtures.ts";
import type { FeatureFixtures } from "./support/feature_fixtures.ts";

/** What each feature adds to the tests of the whole server. */
export const featureFixtures: readonly FeatureFixtures[] = [
  deviceFixtures,
  cibaFixtures,
  exchangeFixtures,
  assertionFixtures,
  registrationFixtures,
  documentFixtures,
  introspectionFixtures,
  parFixtures,
  requestUriFixtures,
  revocationFixtures,
  logoutFixtures,
  backchannelLogoutFixtures,
  frontchannelLogoutFixtures,
  accountFixtures,
  passkeyFixtures,
];

/** The endpoints at which clients authenticate. */
export const clientEndpoints: readonly string[] = [
  "token",
  ...featureFixtures.flatMap((each) => each.clientEndpoints ?? []),
];

/** The settings without which features are switched off. */
export const featureSettings: Partial<Config> = Object.assign(
  {},
  ...featureFixtures.map(({ config }) => config),
);

/** The paths to which browsers post forms. */
export const formPaths: readonly string[] = [
  ...["/oauth2/authorize", "/sign-out"],
  ...featureFixtures.flatMap((each) => each.formPaths ?? []),
];

/** The grants that a client may have without further settings. */
export const plainGrantTypes: readonly string[] = [
  ...["authorization_code", "refresh_token", "client_credentials"],
  ...featureFixtures.flatMap((each) => each.grantTypes ?? []),
];

/** The grants of the clients for the flows of features, and those that need no further settings. */
export const flowGrantTypes: readonly string[] = [
  ...new Set([
    ...plainGrantTypes,
    ...featureFixtures.flatMap(({ clients = [] }) =>
      clients.flatMap(({ grantTypes = [] }) => grantTypes)
    ),
  ]),
];

/** The members of one kind that features add. */
export function fixturesOf<
  Name extends
    | "endpointFields"
    | "flows"
    | "grants"
    | "idTokenPlaces"
    | "metadata"
    | "pages"
    | "paths"
    | "presentedCredentials"
    | "sentTokens"
    | "storeCalls"
    | "storedUserFlows"
    | "unreadableRows",
>(name: Name): NonNullable<FeatureFixtures[Name]> {
  return Object.assign({}, ...featureFixtures.map((each) => each[name]));
}
