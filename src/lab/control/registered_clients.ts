import { featuresOf } from "../../server/issuer/active_features.ts";
import { type Client, isPublic } from "../../server/model/client.ts";
import type { CoreLab } from "../core/core_lab.ts";
import { type Operation, operation } from "../core/operation.ts";

/** A client that is not in the configuration of a lab. */
export interface OtherClient {
  /** The client_id. */
  id: string;
  /** The name that users see. */
  name: string;
  /** How the lab learned of it: by dynamic registration, a metadata document, or its first request. */
  origin: "registration" | "document" | "first request";
  /** How it authenticates; empty for a public client. */
  authentication: string[];
  /** Where users return to. */
  redirectUris: string[];
}

export const registeredClientOperation: Operation = operation("GET /registered-clients", {
  name: "list-registered-clients",
  summary: "Lists the clients that are not configured, and how the lab learned of each.",
  kind: "list",
  returns: "OtherClient[]",
  page: {
    title: "Registered dynamically",
    columns: {
      "Client id": "id",
      Name: "name",
      Origin: "origin",
      Authentication: "authentication",
      "Redirect URIs": "redirectUris",
    },
    empty:
      "Clients that register themselves appear here, and those whose client id is the URL of " +
      "a metadata document.",
  },
  run: listRegistered,
});

/** Lists the clients that are not in the configuration. */
export async function listRegistered({ context }: CoreLab): Promise<OtherClient[]> {
  const stored = (await context.records.clients.list()).map(([, client]) => client);
  const described = await featuresOf(context).documentClients?.list(context) ?? [];
  return [...stored, ...described].map(describeClient);
}

function describeClient(client: Client): OtherClient {
  const { id, name, registration, document, authentication, redirectUris } = client;
  const byFirstRequest = document ? "document" : "first request";
  return {
    id,
    name,
    origin: registration ? "registration" : byFirstRequest,
    authentication: isPublic(client) ? [] : [...authentication],
    redirectUris: [...redirectUris],
  };
}
