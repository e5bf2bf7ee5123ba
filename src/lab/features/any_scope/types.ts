export type { AnyScopeSetting } from "./lab_server.ts";
