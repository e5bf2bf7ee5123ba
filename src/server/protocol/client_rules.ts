import { type Client, isPublic } from "../model/client.ts";
import { nearestName } from "../util/text/nearest_name.ts";
import type { Rule } from "./rule.ts";

/** How much of an unknown client_id is shown, in characters. */
const maxShownId = 100;
const maxShownClients = 10;
/** How many names are compared with an unknown one: each comparison takes some microseconds. */
const maxComparedClients = 50;

/** The client that a request names, with what helps its developer. */
export interface NamedClient {
  clientId: string;
  client: Client | undefined;
  /** Why the metadata document at this client_id cannot be used. */
  documentProblem: string | undefined;
  configured: ReadonlyMap<string, unknown>;
}

export const clientIsKnown: Rule<NamedClient> = {
  id: "client.known",
  title: "The client is known",
  see: "OAuth 2.1, section 4.1.2.1",
  parameter: "client_id",
  error: "invalid_request",
  message: "The client_id is unknown.",
  advice: "Send the client_id of a configured client, or register one.",
  holds: ({ client }) => client !== undefined,
  expected: describeKnownClients,
  came: describeClientId,
};

/**
 * Describes the clients that an unknown client_id may stand for, as far as a sentence holds them.
 */
export function describeKnownClients({ clientId, configured }: NamedClient): string {
  const ids = [...configured.keys()];
  if (ids.length === 0) return "a registered client, because none is configured";
  const nearest = nearestName(clientId.slice(0, maxShownId), ids.slice(0, maxComparedClients));
  if (nearest !== undefined) return `a known client, such as '${nearest}'`;
  const rest = ids.length > maxShownClients ? ", …" : "";
  return `one of ${ids.slice(0, maxShownClients).join(", ")}${rest}`;
}

/** Describes a client_id, which may be the URL of a document. */
export function describeClientId({ clientId, documentProblem }: NamedClient): string {
  const shown = `'${clientId.slice(0, maxShownId)}'`;
  if (documentProblem === undefined) return shown;
  return `${shown}, whose metadata document cannot be used: ${documentProblem}`;
}

/** What only a client with credentials may use. */
interface ConfidentialUse {
  id: string;
  see: string;
  /** What sentences call it. */
  use: string;
}

/** Creates the rule that a client has credentials. */
export function confidentialityRule({ id, see, use }: ConfidentialUse): Rule<Client> {
  return {
    id,
    title: "The client has credentials",
    see,
    parameter: "client_id",
    error: "unauthorized_client",
    message: `A public client cannot use ${use}.`,
    advice: "Use a client with a secret or a key.",
    holds: (client) => !isPublic(client),
  };
}
