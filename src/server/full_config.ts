/**
 * The settings of a server with every feature, and the types that they consist of. `mod.ts` exports
 * all of it.
 *
 * @module
 */

import type { CoreConfig } from "./config/config.ts";
import type { CoreLifetimesConfig } from "./config/lifetimes_config.ts";
import type { CorePathsConfig } from "./config/paths_config.ts";
import type { AccountPages } from "./features/account/config.ts";
import type { AssertionConfig } from "./features/assertions/config.ts";
import type { AuthorizedPages } from "./features/authorized/config.ts";
import type { BackchannelLogoutClientConfig } from "./features/backchannel_logout/config.ts";
import type { BrandSetting } from "./features/brand/config.ts";
import type { DeviceLifetimes, DevicePages, DevicePaths } from "./features/device/config.ts";
import type { DocumentsSetting } from "./features/documents/config.ts";
import type { EncryptionConfig } from "./features/encryption_at_rest/config.ts";
import type { ExchangeClientConfig } from "./features/exchange/config.ts";
import type { FrontchannelLogoutClientConfig } from "./features/frontchannel_logout/config.ts";
import type { IntrospectionPaths } from "./features/introspection/config.ts";
import type { JweClientConfig, JweConfig } from "./features/jwe/config.ts";
import type { LanguagesSetting } from "./features/languages/config.ts";
import type { LogoutClientConfig, LogoutPages, LogoutPaths } from "./features/logout/config.ts";
import type { MtlsClientConfig, MtlsSetting } from "./features/mtls/config.ts";
import type { ParLifetimes, ParPaths } from "./features/par/config.ts";
import type {
  RegistrationLifetimes,
  RegistrationPaths,
  RegistrationSetting,
} from "./features/registration/config.ts";
import type { RevocationPaths } from "./features/revocation/config.ts";
import type { CoreClientConfig } from "./model/client_config.ts";
import type { CorePages } from "./pages/pages.ts";

export type { AccountPages } from "./features/account/config.ts";
export type {
  AssertionConfig,
  TrustedIssuer as TrustedIssuerConfig,
  WorkloadIssuer as WorkloadIssuerConfig,
  WorkloadRule as WorkloadRuleConfig,
} from "./features/assertions/config.ts";
export type { AuthorizedPages } from "./features/authorized/config.ts";
export type { BackchannelLogoutClientConfig } from "./features/backchannel_logout/config.ts";
export type { BrandConfig, BrandSetting } from "./features/brand/config.ts";
export type { DeviceLifetimes, DevicePages, DevicePaths } from "./features/device/config.ts";
export type {
  ExchangeClientConfig,
  IdJagConfig,
  TokenExchangeConfig,
} from "./features/exchange/config.ts";
export type { EncryptionConfig } from "./features/encryption_at_rest/config.ts";
export type { FrontchannelLogoutClientConfig } from "./features/frontchannel_logout/config.ts";
export type { IntrospectionPaths } from "./features/introspection/config.ts";
export type { ContentEncryption, JweClientConfig, JweConfig } from "./features/jwe/config.ts";
export type { MtlsClientConfig, MtlsConfig, MtlsSetting } from "./features/mtls/config.ts";
export type { LanguagesSetting, LanguageTag } from "./features/languages/config.ts";
export type { LogoutClientConfig, LogoutPages, LogoutPaths } from "./features/logout/config.ts";
export type { ParLifetimes, ParPaths } from "./features/par/config.ts";
export type { DocumentsSetting } from "./features/documents/config.ts";
export type {
  AllowConfig,
  RegistrationConfig,
  RegistrationLifetimes,
  RegistrationPaths,
  RegistrationPolicy,
  RegistrationSetting,
} from "./features/registration/config.ts";
export type { RevocationPaths } from "./features/revocation/config.ts";
export type { AccountProps, PasswordProps } from "./features/account/account.tsx";
export type { ChangePasswordProps } from "./features/account/change_password.tsx";
export type { ConnectedAppProps } from "./features/account/connected_app.tsx";
export type * from "./features/account/languages/words.ts";
export type { SessionProps } from "./features/account/session_list.tsx";
export type { AuthorizedProps } from "./features/authorized/authorized.tsx";
export type { ClientProofs } from "./features/authorized/token_request.ts";
export type { DeviceDoneProps, DeviceProps } from "./features/device/device.tsx";
export type * from "./features/device/languages/words.ts";
export type { LogoutWords } from "./features/logout/languages/words.ts";
export type { SignOutProps } from "./features/logout/sign_out.tsx";

/** Where the endpoints are, below the issuer. The metadata and the pages follow. */
export interface PathsConfig
  extends
    CorePathsConfig,
    DevicePaths,
    IntrospectionPaths,
    LogoutPaths,
    ParPaths,
    RegistrationPaths,
    RevocationPaths {}

/** How long codes, tokens and sessions last. */
export interface LifetimesConfig
  extends CoreLifetimesConfig, DeviceLifetimes, ParLifetimes, RegistrationLifetimes {}

/**
 * The pages of a server. A configuration may replace any of them, also by one that it first loads.
 */
export interface Pages extends CorePages, DevicePages, LogoutPages, AccountPages, AuthorizedPages {}

/** The settings of a client. Only `id` is required. */
export interface ClientConfig
  extends
    CoreClientConfig,
    ExchangeClientConfig,
    JweClientConfig,
    MtlsClientConfig,
    LogoutClientConfig,
    BackchannelLogoutClientConfig,
    FrontchannelLogoutClientConfig {}

/** The settings of a server. Only `issuer` is required. */
export interface Config
  extends
    CoreConfig,
    BrandSetting,
    LanguagesSetting,
    EncryptionConfig,
    JweConfig,
    MtlsSetting,
    RegistrationSetting,
    DocumentsSetting,
    AssertionConfig {
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
