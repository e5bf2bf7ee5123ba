import { isClientIdUrl } from "../../protocol/client_id_url.ts";

/** How many clients have a label of their own. */
const maxClients = 200;

/**
 * Creates the function that returns the label of a client. A configured client has its id. Anyone
 * can register a client or publish a document, so these are counted together: a label must not take
 * any number of values.
 */
export function createClientLabel(
  isConfigured: (id: string) => boolean,
): (id: string | undefined) => string {
  const labelled = new Set<string>();
  return (id) => {
    if (id === undefined) return "none";
    if (!isConfigured(id)) return isClientIdUrl(id) ? "document" : "registered";
    if (labelled.size < maxClients) labelled.add(id);
    return labelled.has(id) ? id : "other";
  };
}
