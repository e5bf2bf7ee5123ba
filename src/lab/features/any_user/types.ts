export type { AnyUserSetting } from "./lab_server.ts";
