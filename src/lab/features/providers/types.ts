export type {
  PresetFile,
  PresetFileFact,
  PresetPath,
  ProviderChoice,
  ProviderName,
  ProviderSetting,
  ProvidersSetting,
} from "./lab_server.ts";
