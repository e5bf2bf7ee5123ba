export type { AnyGrantConfig, AnyGrantSetting } from "./lab_server.ts";
