import type { ObjectSchema } from "./config/schema.ts";
import { type StandardSchema, toStandardSchema } from "./config/standard_schema.ts";
import type { Feature } from "./feature.ts";
import { featureParts } from "./feature_parts.ts";
import { accountManagement } from "./features/account/feature.ts";
import { assertions } from "./features/assertions/feature.ts";
import { callbackPage } from "./features/authorized/feature.ts";
import { backchannelLogout } from "./features/backchannel_logout/feature.ts";
import { brand } from "./features/brand/feature.ts";
import { ciba } from "./features/ciba/feature.ts";
import { deliveries } from "./features/deliveries/feature.ts";
import { deviceFlow } from "./features/device/feature.ts";
import { documents } from "./features/documents/feature.ts";
import { emailSignIn } from "./features/email_sign_in/feature.ts";
import { encryptionAtRest } from "./features/encryption_at_rest/feature.ts";
import { frontchannelLogout } from "./features/frontchannel_logout/feature.ts";
import { introspection } from "./features/introspection/feature.ts";
import { jwe } from "./features/jwe/feature.ts";
import { translations } from "./features/languages/feature.ts";
import { logout } from "./features/logout/feature.ts";
import { mutualTls } from "./features/mtls/feature.ts";
import { pushedAuthorizationRequests } from "./features/par/feature.ts";
import { passkeys } from "./features/passkeys/feature.ts";
import { refusalDetails } from "./features/refusal_details/feature.ts";
import { registration } from "./features/registration/feature.ts";
import { requestUris } from "./features/request_uris/feature.ts";
import { revocation } from "./features/revocation/feature.ts";
import { tokenExchange } from "./features/token_exchange/feature.ts";
import { userImport } from "./features/user_import/feature.ts";
import type { Config } from "./full_config.ts";
import {
  createInternalServer,
  type InternalServer,
  type Server,
  type ServerWrapper,
} from "./server.ts";

// What wraps a server needs of a feature
export { signLogoutToken } from "./features/backchannel_logout/logout_token.ts";

export type * from "./full_config.ts";

/** Every feature of the server. Without its row, a feature does not exist. */
export const features: readonly Feature[] = [
  deviceFlow,
  ciba,
  tokenExchange,
  assertions,
  introspection,
  jwe,
  mutualTls,
  pushedAuthorizationRequests,
  requestUris,
  revocation,
  registration,
  documents,
  encryptionAtRest,
  logout,
  backchannelLogout,
  deliveries,
  frontchannelLogout,
  accountManagement,
  emailSignIn,
  passkeys,
  refusalDetails,
  userImport,
  callbackPage,
  brand,
  translations,
];

const parts = featureParts(features);

export const grantTypes: readonly string[] = parts.implemented.grants;

/** The parameters and members of every feature whose values are secrets. */
export const secretsOfFeatures: readonly string[] = parts.secrets;

/** The schema of a configuration, with the settings of every feature. */
export const configSchema: ObjectSchema = parts.implemented.schema;

/**
 * The schema of a configuration, for loaders that take a Standard Schema. It checks each member;
 * only `createServer` finds contradictions between them.
 */
export const standardSchema: StandardSchema<Config> = toStandardSchema(configSchema);

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
  return createInternalServer(config, features, wrapper, parts);
}
