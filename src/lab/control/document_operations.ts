import type { Operation } from "../core/operation.ts";
import type { LabMcpInternals, LabMcpTools } from "../mcp/lab_mcp_tools.ts";

export const documentOperations: ReadonlyArray<Operation<LabMcpTools & LabMcpInternals>> = [
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
