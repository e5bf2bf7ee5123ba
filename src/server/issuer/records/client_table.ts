import type { Client, ClientSecret } from "../../model/client.ts";
import type { Row } from "../../store/store.ts";
import { canonicalJson } from "../../util/text/json.ts";
import type { Table } from "./table.ts";

/** A secret as it is stored. */
interface SecretRow {
  secretHash?: string | undefined;
  hasLongSecret?: boolean | undefined;
  encryptedSecret?: string | undefined;
  secretSince?: number | undefined;
}

/**
 * A client as it is stored: with the earlier secret among its settings, as all versions read it.
 */
export interface ClientRow extends Omit<Client, "secrets">, SecretRow {
  nextSecret?: SecretRow | undefined;
}

/** Creates a table of clients on top of the table of their rows. */
export function clientTable(rows: Table<ClientRow>): Table<Client> {
  return {
    get: async (id) => withClient(await rows.get(id)),
    getStored: async (id) => withClient(await rows.getStored(id)),
    async find(id) {
      const row = await rows.find(id);
      return row && toClient(row);
    },
    put: (id, client, expiresAt) => rows.put(id, toRow(client), expiresAt),
    async replace(id, before, client, expiresAt = before.expiresAt) {
      // A store compares texts, and the members of a row of another version have another order.
      const row = await rows.getStored(id);
      if (!row || canonicalJson(withClient(row)) !== canonicalJson(before)) return false;
      return await rows.replace(id, row, toRow(client), expiresAt);
    },
    add: (id, client, expiresAt) => rows.add(id, toRow(client), expiresAt),
    consume: (id, keepUntil) => rows.consume(id, keepUntil),
    delete: (id) => rows.delete(id),
    list: async (prefix) => (await rows.list(prefix)).map(withClientOf),
    async *each(prefix, after) {
      for await (const entry of rows.each(prefix, after)) yield withClientOf(entry);
    },
    listAfter: async (text) => (await rows.listAfter(text)).map(withClientOf),
  };
}

function withClient(row: Row<ClientRow> | undefined): Row<Client> | undefined {
  return row && { ...row, value: toClient(row.value) };
}

function withClientOf([id, row]: [id: string, value: ClientRow]): [id: string, value: Client] {
  return [id, toClient(row)];
}

function toClient(row: ClientRow): Client {
  const {
    secretHash: _hash,
    hasLongSecret: _isLong,
    encryptedSecret: _text,
    secretSince: _since,
    nextSecret,
    ...client
  } = row;
  return { ...client, secrets: [row, nextSecret].flatMap(toSecret) };
}

function toSecret(row: SecretRow | undefined): ClientSecret[] {
  if (row?.secretHash === undefined) return [];
  const { secretHash: hash, hasLongSecret: isLong = false, encryptedSecret, secretSince } = row;
  return [{ hash, isLong, encryptedText: encryptedSecret, since: secretSince }];
}

function toRow({ secrets: [secret, next], ...client }: Client): ClientRow {
  return { ...client, ...toSecretRow(secret), nextSecret: toSecretRow(next) };
}

function toSecretRow(secret: ClientSecret | undefined): SecretRow | undefined {
  return secret && {
    secretHash: secret.hash,
    hasLongSecret: secret.isLong,
    encryptedSecret: secret.encryptedText,
    secretSince: secret.since,
  };
}
