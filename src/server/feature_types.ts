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
import type {
  LogoutClientConfig,
  LogoutPages,
  LogoutPaths,
  LogoutSetting,
} from "./features/logout/config.ts";
import type { MtlsClientConfig, MtlsSetting } from "./features/mtls/config.ts";
import type { ParLifetimes, ParPaths } from "./features/par/config.ts";
import type { PasskeyConfig } from "./features/passkeys/config.ts";
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

export type { AccountProps, PasswordProps } from "./features/account/account.tsx";
export type { ChangePasswordProps } from "./features/account/change_password.tsx";
export type { ChoosePasswordProps } from "./features/account/choose_password.tsx";
export type { AccountPages } from "./features/account/config.ts";
export type { ConnectedAppProps } from "./features/account/connected_app.tsx";
export type { AccountPageWords, PasswordProblem } from "./features/account/languages/en.ts";
export type { SessionProps } from "./features/account/session_list.tsx";
export type {
  WaitingRequestProps,
  WaitingRequestsProps,
} from "./features/account/waiting_list.tsx";
export type {
  AssertionConfig,
  TrustedIssuerConfig,
  WorkloadIssuerConfig,
  WorkloadRuleConfig,
} from "./features/assertions/config.ts";
export type { AuthorizedProps } from "./features/authorized/authorized.tsx";
export type { Callback } from "./features/authorized/callback.ts";
export type { AuthorizedPages } from "./features/authorized/config.ts";
export type { TokenRequestExample } from "./features/authorized/token_request.ts";
export type { BackchannelLogoutClientConfig } from "./features/backchannel_logout/config.ts";
export type { BrandConfig, BrandSetting } from "./features/brand/config.ts";
export type { BackchannelDoneProps } from "./features/ciba/ciba.tsx";
export type {
  CibaClientConfig,
  CibaLifetimes,
  CibaPages,
  CibaPaths,
  CibaSetting,
  UserCodeCheck,
} from "./features/ciba/config.ts";
export type { CibaWords } from "./features/ciba/languages/en.ts";
export type { DeviceLifetimes, DevicePages, DevicePaths } from "./features/device/config.ts";
export type { DeviceDoneProps, DeviceProps } from "./features/device/device.tsx";
export type { DeviceFlowWords } from "./features/device/languages/en.ts";
export type { DocumentsSetting } from "./features/documents/config.ts";
export type { EmailSignInConfig } from "./features/email_sign_in/config.ts";
export type { EncryptionConfig } from "./features/encryption_at_rest/config.ts";
export type { FrontchannelLogoutClientConfig } from "./features/frontchannel_logout/config.ts";
export type { IntrospectionPaths } from "./features/introspection/config.ts";
export type {
  ContentEncryption,
  JweClientConfig,
  JweConfig,
  OlderEncryption,
} from "./features/jwe/config.ts";
export type { LanguagesSetting, LanguageTag } from "./features/languages/config.ts";
export type {
  LogoutClientConfig,
  LogoutPages,
  LogoutPaths,
  LogoutSetting,
} from "./features/logout/config.ts";
export type { LogoutWords } from "./features/logout/languages/en.ts";
export type { SignOutProps } from "./features/logout/sign_out.tsx";
export type { MtlsClientConfig, MtlsConfig, MtlsSetting } from "./features/mtls/config.ts";
export type { ParLifetimes, ParPaths } from "./features/par/config.ts";
export type { PasskeyConfig, PasskeySettings } from "./features/passkeys/config.ts";
export type { PasskeyWords } from "./features/passkeys/languages/en.ts";
export type {
  AllowConfig,
  RegistrationConfig,
  RegistrationLifetimes,
  RegistrationPaths,
  RegistrationPolicy,
  RegistrationSetting,
} from "./features/registration/config.ts";
export type {
  RequestUrisClientConfig,
  RequestUrisSetting,
} from "./features/request_uris/config.ts";
export type { RevocationPaths } from "./features/revocation/config.ts";
export type {
  ExchangeClientConfig,
  IdJagConfig,
  TokenExchangeConfig,
} from "./features/token_exchange/config.ts";

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
    LogoutSetting,
    EmailSignInConfig,
    PasskeyConfig,
    BrandSetting,
    LanguagesSetting {}
