import type { RequestFacts } from "../../server/config/events.ts";

/** How many clients have a label of their own. */
const maxClients = 200;

/**
 * Creates the function that returns the label of the client of a request. A client of the operator
 * has its id. Anyone can register a client or publish a document, so these are counted together: a
 * label must not take any number of values.
 */
export function createClientLabel(): (facts: RequestFacts) => string {
  const labelled = new Set<string>();
  return ({ client, clientKind }) => {
    if (client === undefined) return "none";
    if (clientKind === "registered" || clientKind === "document") return clientKind;
    if (labelled.size < maxClients) labelled.add(client);
    return labelled.has(client) ? client : "other";
  };
}
