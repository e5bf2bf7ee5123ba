export type { ResponseTypesSetting } from "./lab_server.ts";
