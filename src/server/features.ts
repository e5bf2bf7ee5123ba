import type { CoreConfig } from "./config/config.ts";
import { partsOf, withClientSettings, withFeatures } from "./config/feature_config.ts";
import type { CoreLifetimesConfig } from "./config/lifetimes_config.ts";
import type { CorePathsConfig } from "./config/paths_config.ts";
import type { ObjectSchema } from "./config/schema.ts";
import { coreClientSchema, coreConfigSchema } from "./config/schemas.ts";
import type { Feature } from "./feature.ts";
import type { AccountPages } from "./features/account/config.ts";
import { accountManagement } from "./features/account/feature.ts";
import { backchannelLogout } from "./features/backchannel_logout/feature.ts";
import type { DeviceLifetimes, DevicePages, DevicePaths } from "./features/device/config.ts";
import { deviceFlow } from "./features/device/feature.ts";
import { frontchannelLogout } from "./features/frontchannel_logout/feature.ts";
import type { IntrospectionPaths } from "./features/introspection/config.ts";
import { introspection } from "./features/introspection/feature.ts";
import type { LogoutPages, LogoutPaths } from "./features/logout/config.ts";
import { logout } from "./features/logout/feature.ts";
import type { ParLifetimes, ParPaths } from "./features/par/config.ts";
import { pushedAuthorizationRequests } from "./features/par/feature.ts";
import type { RevocationPaths } from "./features/revocation/config.ts";
import { revocation } from "./features/revocation/feature.ts";
import type { CoreClientConfig } from "./model/client_config.ts";
import type { CorePages } from "./pages/pages.ts";
import {
  createInternalServer,
  grantsOf,
  type InternalServer,
  type Server,
  type ServerWrapper,
} from "./server.ts";

// What wraps a server needs of a feature
export { signLogoutToken } from "./features/backchannel_logout/logout_token.ts";
export { readUserCode } from "./features/device/user_code.ts";

// The settings of each feature
export type { AccountProps, PasswordProps } from "./features/account/account.tsx";
export type { ChangePasswordProps } from "./features/account/change_password.tsx";
export type { ConnectedAppProps } from "./features/account/connected_app.tsx";
export type {
  AccountPageWords,
  AccountWords,
  ChangePasswordWords,
  PasswordProblem,
} from "./features/account/languages/words.ts";
export type { SessionProps } from "./features/account/session_list.tsx";
export type { DeviceDoneProps } from "./features/device/device_done.tsx";
export type { DeviceProps } from "./features/device/device.tsx";
export type {
  DeviceDoneWords,
  DeviceFlowWords,
  DeviceWords,
} from "./features/device/languages/words.ts";
export type { LogoutWords } from "./features/logout/languages/words.ts";
export type { SignOutProps } from "./features/logout/sign_out.tsx";
export type {
  AccountPages,
  DeviceLifetimes,
  DevicePages,
  DevicePaths,
  IntrospectionPaths,
  LogoutPages,
  LogoutPaths,
  RevocationPaths,
};
export type { ParLifetimes, ParPaths };

/** Every feature of the server. Without its row, a feature does not exist. */
export const features: readonly Feature[] = [
  deviceFlow,
  introspection,
  pushedAuthorizationRequests,
  revocation,
  logout,
  backchannelLogout,
  frontchannelLogout,
  accountManagement,
];

/** The types of all grants. */
export const grantTypes: readonly string[] = grantsOf(features).map(({ type }) => type);

/** Where the endpoints are, below the issuer. The metadata and the pages follow. */
export interface PathsConfig
  extends
    CorePathsConfig,
    DevicePaths,
    IntrospectionPaths,
    LogoutPaths,
    ParPaths,
    RevocationPaths {}

/** How long codes, tokens and sessions last. */
export interface LifetimesConfig extends CoreLifetimesConfig, DeviceLifetimes, ParLifetimes {}

/**
 * The pages of a server. A configuration may replace any of them, also by one that it first loads.
 */
export interface Pages extends CorePages, DevicePages, LogoutPages, AccountPages {}

/** The settings of a client. Only `id` is required. */
export interface ClientConfig extends CoreClientConfig {}

/** The settings of a server. Only `issuer` is required. */
export interface Config extends CoreConfig {
  /**
   * The configured clients.
   *
   * @default []
   */
  clients?: ClientConfig[];
  /** How long codes, tokens and sessions last. */
  lifetimes?: LifetimesConfig;
  /** Your own pages, in place of the default ones. */
  pages?: Partial<Pages>;
  /**
   * Where the endpoints are, for clients that cannot read the metadata.
   *
   * @default the paths of this server
   */
  paths?: PathsConfig;
}

const featureConfigs = features.flatMap(({ config = {} }) => config);

/** The schema of a configuration, with the settings of every feature. */
export const configSchema: ObjectSchema = withFeatures(coreConfigSchema, featureConfigs);

/** The schema of a client, with the settings of every feature. */
export const clientSchema: ObjectSchema = withClientSettings(
  coreClientSchema,
  partsOf("clients", featureConfigs),
);

/**
 * Creates an authorization server.
 *
 * @throws {ConfigError} The configuration is invalid; the error lists every problem.
 *
 * @example
 * ```ts
 * import { createServer } from "@hallpass/hallpass";
 *
 * const server = createServer({
 *   issuer: "https://id.example",
 *   clients: [{ id: "web", redirectUris: ["https://app.example/callback"] }],
 * });
 * const response = await server.fetch(
 *   new Request("https://id.example/.well-known/openid-configuration"),
 * );
 * ```
 */
export function createServer(config: Config): Server {
  const { issuer, fetch, ready, close } = createFullServer(config);
  return { issuer, fetch, ready, close };
}

/** Creates a server with every feature, whose parts can be reached. */
export function createFullServer(config: Config, wrapper?: ServerWrapper): InternalServer {
  return createInternalServer(config, features, wrapper);
}
