export type { LogoutFaultName } from "./faults.ts";
