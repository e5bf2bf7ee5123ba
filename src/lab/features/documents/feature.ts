import { jsonResponse } from "../../../server/http/response.ts";
import type { LabFeature } from "../../feature.ts";
import { respondInstead } from "../../layers/layer.ts";
import {
  type ClientDocument,
  type ClientDocuments,
  createClientDocuments,
  documentsPath,
  type HostedMetadata,
} from "./client_documents.ts";

/** What a test can do for clients that are known by a metadata document. */
export interface DocumentTools {
  /**
   * Hosts a Client ID Metadata Document, whose URL is the `client_id`: `lab.clientDocument({
   * redirect_uris: [callback] }).url`. With a `client_id`, it is that of a real client.
   *
   * @throws {LabError} The document is too large, its URL is invalid or taken, or the lab hosts too
   * many.
   */
  clientDocument(document: HostedMetadata & Record<string, unknown>): ClientDocument;
}

/** What the interface over HTTP needs besides it. */
export interface DocumentInternals {
  readonly documents: ClientDocuments;
}

/** Metadata documents of clients that a lab hosts. */
export const documents: LabFeature<DocumentTools, DocumentInternals> = {
  name: "documents",
  // A lab knows clients by their documents if it can fetch them.
  serverSettings: (config) => ({
    clientMetadataDocuments: config.fetchUntrusted !== undefined,
    ...config,
  }),
  open({ parts }) {
    const hosted = createClientDocuments(() => parts().issuer);
    return {
      tools: { clientDocument: hosted.add },
      internals: { documents: hosted },
      serverHooks: () => ({ hostedDocuments: hosted.byUrl }),
      layers: {
        identify(exchange) {
          const { path, isTestRoute, request: { method } } = exchange;
          if (!path.startsWith(documentsPath) || isTestRoute || method !== "GET") return undefined;
          const found = hosted.find(path.slice(documentsPath.length));
          if (found) respondInstead(exchange, jsonResponse(found.document));
          return undefined;
        },
      },
      state: hosted,
    };
  },
};
