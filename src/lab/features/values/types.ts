export type {
  ChosenValues,
  ChosenValuesState,
  ValueChoice,
  ValueOptions,
} from "./chosen_values.ts";
export type { ValueTools } from "./feature.ts";
