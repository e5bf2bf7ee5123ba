import { jsonResponse } from "../../../server/http/response.ts";
import type { LabFeature } from "../../feature.ts";
import { createClientDocuments, documentsPath } from "./client_documents.ts";
import type { DocumentInternals, DocumentTools } from "./document_tools.ts";

/** Metadata documents of clients that a lab hosts. */
export const documents: LabFeature<DocumentTools, DocumentInternals> = {
  name: "documents",
  open({ parts }) {
    const hosted = createClientDocuments(() => parts().issuer);
    return {
      tools: { clientDocument: hosted.add },
      internals: { documents: hosted },
      answers: () => ({ hostedDocuments: hosted.byUrl }),
      layers: {
        identify(exchange) {
          const { path, isTestRoute, request: { method } } = exchange;
          if (!path.startsWith(documentsPath) || isTestRoute || method !== "GET") return undefined;
          const found = hosted.find(path.slice(documentsPath.length));
          if (found) {
            exchange.kind = "beside";
            exchange.besideResponse = jsonResponse(found.document);
          }
          return undefined;
        },
      },
      state: hosted,
    };
  },
};
