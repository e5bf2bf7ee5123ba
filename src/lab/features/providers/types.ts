export type {
  PresetFile,
  PresetFileFact,
  PresetPath,
  ProviderChoice,
  ProviderName,
  ProviderSetting,
  ProvidersSetting,
} from "./config.ts";
