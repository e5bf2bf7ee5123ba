export type { EncryptionFaultName, EncryptionForgery, IdTokenEncryptionForgery } from "./faults.ts";
