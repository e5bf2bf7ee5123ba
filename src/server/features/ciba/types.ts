export type { BackchannelDoneProps } from "./ciba.tsx";
export type {
  CibaClientConfig,
  CibaLifetimes,
  CibaPages,
  CibaPaths,
  CibaSetting,
  UserCodeCheck,
} from "./config.ts";
export type * from "./languages/words.ts";
