import type { Context } from "../../issuer/context.ts";
import { serverPart } from "../../issuer/part_of.ts";
import { hasSecrets } from "../../issuer/records/records.ts";
import { type Table, withMargin } from "../../issuer/records/table.ts";
import type { Client } from "../../model/client.ts";
import { day } from "../../util/time/duration.ts";

/** The tables of metadata documents. */
interface DocumentTables {
  /** Clients that documents describe, by URL, while anything issued to them may be active. */
  clients: Table<Client>;
  /** The epochs of clients whose document was gone, by URL, while anything from before may live. */
  epochs: Table<string>;
}

function createTables({ records: { open } }: Context): DocumentTables {
  return {
    clients: open.plain("client-document", hasSecrets),
    epochs: withMargin(open.plain("document-epoch"), 1 * day * 1000),
  };
}

export const documentTables = serverPart(createTables);
