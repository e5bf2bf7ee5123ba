import type { ClientDocument, ClientDocuments, HostedMetadata } from "./client_documents.ts";

/** What a test can do for clients that are known by a metadata document. */
export interface DocumentTools {
  /**
   * Hosts the metadata document of a client (OAuth Client ID Metadata Document), which the lab
   * accepts by its URL as `client_id`: `lab.clientDocument({ redirect_uris: [callback] }).url`.
   * With the member `client_id`, the document is that of a real client, which is not fetched.
   *
   * @throws {LabError} The document is too large, its URL is invalid or taken, or the lab hosts too
   * many.
   */
  clientDocument(document: HostedMetadata & Record<string, unknown>): ClientDocument;
}

/** What the interface over HTTP needs beside it. */
export interface DocumentInternals {
  readonly documents: Pick<ClientDocuments, "list" | "remove">;
}
