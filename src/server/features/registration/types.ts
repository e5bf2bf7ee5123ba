export type {
  AllowConfig,
  RegistrationConfig,
  RegistrationLifetimes,
  RegistrationPaths,
  RegistrationPolicy,
  RegistrationSetting,
} from "./config.ts";
