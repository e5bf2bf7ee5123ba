export type { AnyClientSetting } from "./lab_server.ts";
