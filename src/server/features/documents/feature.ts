import type { ReportProblem } from "../../config/problems.ts";
import type { Settings } from "../../config/settings.ts";
import type { Feature } from "../../feature.ts";
import { noFetch } from "../../http/outbound_fetch.ts";
import { isPublic } from "../../model/client.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import { registration } from "../registration/feature.ts";
import { documentsServer, type DocumentsSetting } from "./config.ts";
import { documentCache } from "./document_cache.ts";
import { mayBeDocument, offerToDocument } from "./offer.ts";
import { documentTables, storeClientDocument } from "./stored_documents.ts";

/** Few servers know clients by documents. */
const clients = lazyModule(() => import("./client_documents.ts"));

/** Clients whose ids are the URLs of their metadata (OAuth Client ID Metadata Document). */
export const documents: Feature = {
  name: "metadata documents",
  needs: [registration],
  config: { server: { ...documentsServer, check: checkDocuments } },
  metadata(settings, { hostsDocuments }) {
    const { clientMetadataDocuments } = documentsServer.of(settings);
    const isSupported = clientMetadataDocuments || hostsDocuments;
    return isSupported ? { client_id_metadata_document_supported: true } : {};
  },
  documentClients: {
    offerTo: (ctx, client) => offerToDocument(ctx, client.id, !isPublic(client)),
    async list(ctx) {
      return (await documentTables(ctx).clients.list()).map(([, client]) => client);
    },
    async find(ctx, id) {
      return mayBeDocument(ctx, id) ? await clients.findDocumentClient(ctx, id) : undefined;
    },
    async lookUp(ctx, id) {
      if (!mayBeDocument(ctx, id)) return undefined;
      return await clients.lookUpDocumentClient(ctx, id);
    },
    async knows(ctx, id) {
      return mayBeDocument(ctx, id) && await clients.isKnownDocument(ctx, id);
    },
    problemOf: (ctx, id) => documentCache(ctx).problemOf(id),
    keep: (ctx, client, until) => storeClientDocument(ctx, client, until),
  },
};

function checkDocuments(
  { clientMetadataDocuments }: DocumentsSetting,
  { fetchUntrusted }: Settings,
  report: ReportProblem,
): void {
  if (!clientMetadataDocuments || fetchUntrusted !== noFetch) return;
  report(
    "clientMetadataDocuments",
    "needs fetchUntrusted, a safe way to fetch the documents; hallpass/serve has " +
      "guardedFetch(), and clientDocument() of hallpass/testing needs neither",
  );
}
