export type { ClientCertificate } from "./certificates.ts";
export type { ConnectedCertificate, MtlsTools } from "./feature.ts";
