export type { EnterpriseSetting } from "./lab_server.ts";
