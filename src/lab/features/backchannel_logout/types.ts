export type { LogoutTokenFaultName, LogoutTokenForgery } from "./faults.ts";
