export type { ClientDocument, HostedMetadata } from "./client_documents.ts";
export type { DocumentTools } from "./feature.ts";
