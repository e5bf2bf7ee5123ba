export type { RedirectStatusSetting } from "./lab_server.ts";
