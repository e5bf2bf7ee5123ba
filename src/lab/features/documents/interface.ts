import type { Settings } from "../../../server/config/settings.ts";
import type { Config } from "../../../server/features.ts";
import { documentsServer } from "../../../server/features/documents/config.ts";
import { operation } from "../../core/operation.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import type { DocumentInternals, DocumentTools } from "./feature.ts";

export const documentInterface: FeatureInterface<DocumentTools & DocumentInternals> = {
  sharedSettings: fetchOfLab,
  operations: [
    operation("POST /client-documents", {
      name: "host-document",
      summary: "Hosts the metadata document of a client, whose URL is its id.",
      body: { name: "HostedMetadata" },
      returns: "ClientDocument",
      example: {
        body: { client_name: "Notes", redirect_uris: ["http://localhost:3000/callback"] },
      },
      run: (lab, { body }) => lab.clientDocument(body),
    }),
    operation("GET /client-documents", {
      name: "list-documents",
      summary: "Lists the hosted documents.",
      kind: "list",
      returns: "ClientDocument[]",
      run: (lab) => lab.documents.list(),
    }),
    operation("DELETE /client-documents/:id", {
      name: "remove-document",
      summary: "Removes a hosted document; its client is unknown from then on.",
      run: (lab, { segment }) => lab.documents.remove(segment),
    }),
  ],
};

/** JSON holds no function: a tenant that fetches documents of clients does so as its lab does. */
function fetchOfLab(
  settings: Settings,
  { clientMetadataDocuments }: Partial<Config>,
): Partial<Config> {
  const shares = clientMetadataDocuments === true &&
    documentsServer.of(settings).clientMetadataDocuments;
  return shares ? { fetchUntrusted: settings.fetchUntrusted } : {};
}
