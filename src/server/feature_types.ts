// Written by `deno task generate`, from the folders of the features.
import type { AccountPages } from "./features/account/config.ts";
import type { AssertionConfig } from "./features/assertions/config.ts";
import type { AuthorizedPages } from "./features/authorized/config.ts";
import type { BackchannelLogoutClientConfig } from "./features/backchannel_logout/config.ts";
import type { BrandSetting } from "./features/brand/config.ts";
import type {
  CibaClientConfig,
  CibaLifetimes,
  CibaPages,
  CibaPaths,
  CibaSetting,
} from "./features/ciba/config.ts";
import type { DeviceLifetimes, DevicePages, DevicePaths } from "./features/device/config.ts";
import type { DocumentsSetting } from "./features/documents/config.ts";
import type { EmailSignInConfig } from "./features/email_sign_in/config.ts";
import type { EncryptionConfig } from "./features/encryption_at_rest/config.ts";
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
import type {
  RequestUrisClientConfig,
  RequestUrisSetting,
} from "./features/request_uris/config.ts";
import type { RevocationPaths } from "./features/revocation/config.ts";
import type { ExchangeClientConfig } from "./features/token_exchange/config.ts";

export type * from "./features/account/types.ts";
export type * from "./features/assertions/types.ts";
export type * from "./features/authorized/types.ts";
export type * from "./features/backchannel_logout/types.ts";
export type * from "./features/brand/types.ts";
export type * from "./features/ciba/types.ts";
export type * from "./features/device/types.ts";
export type * from "./features/documents/types.ts";
export type * from "./features/email_sign_in/types.ts";
export type * from "./features/encryption_at_rest/types.ts";
export type * from "./features/frontchannel_logout/types.ts";
export type * from "./features/introspection/types.ts";
export type * from "./features/jwe/types.ts";
export type * from "./features/languages/types.ts";
export type * from "./features/logout/types.ts";
export type * from "./features/mtls/types.ts";
export type * from "./features/par/types.ts";
export type * from "./features/registration/types.ts";
export type * from "./features/request_uris/types.ts";
export type * from "./features/revocation/types.ts";
export type * from "./features/token_exchange/types.ts";

/** The paths that features add. */
export interface FeaturePaths
  extends
    DevicePaths,
    CibaPaths,
    IntrospectionPaths,
    ParPaths,
    RevocationPaths,
    RegistrationPaths,
    LogoutPaths {}

/** The lifetimes that features add. */
export interface FeatureLifetimes
  extends DeviceLifetimes, CibaLifetimes, ParLifetimes, RegistrationLifetimes {}

/** The pages that features add. */
export interface FeaturePages
  extends DevicePages, CibaPages, LogoutPages, AccountPages, AuthorizedPages {}

/** The settings of a client that features add. */
export interface FeatureClientConfig
  extends
    CibaClientConfig,
    ExchangeClientConfig,
    JweClientConfig,
    MtlsClientConfig,
    RequestUrisClientConfig,
    LogoutClientConfig,
    BackchannelLogoutClientConfig,
    FrontchannelLogoutClientConfig {}

/** The settings of a server that features add. */
export interface FeatureServerConfig
  extends
    CibaSetting,
    AssertionConfig,
    JweConfig,
    MtlsSetting,
    RequestUrisSetting,
    RegistrationSetting,
    DocumentsSetting,
    EncryptionConfig,
    EmailSignInConfig,
    BrandSetting,
    LanguagesSetting {}
