import type { Operation } from "./operation.ts";

export const documentOperations: readonly Operation[] = [
  {
    method: "POST",
    path: "/client-documents",
    summary: "Hosts the metadata document of a client, which is known by its URL from then on.",
    body: { name: "HostedMetadata" },
    returns: "ClientDocument",
    run: (lab, { body }) => lab.clientDocument(body),
  },
  {
    method: "GET",
    path: "/client-documents",
    summary: "Lists the hosted documents.",
    returns: "ClientDocument[]",
    run: (lab) => lab.documents.list(),
  },
  {
    method: "DELETE",
    path: "/client-documents/:id",
    summary: "Removes a hosted document; its client is unknown from then on.",
    run: (lab, { segment }) => lab.documents.remove(segment),
  },
];
