// Loaded on first use.

export { findDocumentClient, isKnownDocument, lookUpDocumentClient } from "./client_documents.ts";
export { storeClientDocument } from "./stored_documents.ts";
