import { ignoreEvents } from "../../../src/server/config/events.ts";
import type { Row, Store } from "../../../src/server/store/store.ts";
import type { Browser } from "../../../tests/support/browser.ts";
import { basic, isActive, type Kit, openStrictKit } from "../../../tests/support/kit.ts";
import { present as required } from "../../../tests/support/present.ts";
import { service } from "../directory.ts";

/** A server in this process, whose clock the bench sets. */
export interface LiveServer {
  kit: Kit;
  /** Completes a flow of a user who is signed in, and returns the access token. */
  flow(): Promise<string>;
  introspect(token: string): Promise<void>;
  /** Lets all rows expire and be deleted, and signs the user in again. */
  restart(): Promise<void>;
}

/** What is stored for a user: the kind, the id and the row. */
type StoredRow = [kind: string, id: string, row: Row];

/** Until after every row has expired, in seconds. */
const afterAllRows = 400 * 24 * 60 * 60;

/** The kinds of rows that belong to the server and not to a user. */
const ownKinds = ["key", "secret"];

/** When the rows that fill a store expire. */
const neverSwept = Number.MAX_SAFE_INTEGER;

/** How many rows are written at a time. */
const batch = 1000;

/** Opens a server on a store. A user is signed in. */
export async function openLiveServer(store: Store, alg: "ES256" | "EdDSA"): Promise<LiveServer> {
  const { id, secret } = service;
  const redirectUris = ["https://hallpass.test/authorized"];
  const kit = openStrictKit({
    store,
    alg,
    onEvent: ignoreEvents,
    clients: [
      { id: "demo-spa", redirectUris, idTokenAlg: alg },
      { id, secret, grantTypes: ["client_credentials"], introspect: "any" },
    ],
  });
  let browser: Browser;
  const server: LiveServer = {
    kit,
    async flow() {
      const { headers } = await browser.request(kit.authorizationUrl({ scope: "openid profile" }));
      const { searchParams } = new URL(required(headers.get("Location")));
      return (await kit.redeem(required(searchParams.get("code")))).body.access_token;
    },
    async introspect(token) {
      if (!await isActive(kit, token, basic(id, secret))) throw new Error("It must be active.");
    },
    async restart() {
      kit.clock.advance(afterAllRows);
      while (await store.sweep(kit.clock.now) > 0);
      browser = kit.browser();
      await browser.authorize(kit.authorizationUrl({ scope: "openid profile" }));
    },
  };
  await server.restart();
  return server;
}

/**
 * Fills a store that has some rows with more of them, of as many users as are needed, each of whom
 * signed in once.
 */
export async function fillStore(
  store: Store,
  alg: "ES256" | "EdDSA",
  present: number,
  count: number,
): Promise<void> {
  const rows = await rowsOfUser(store, alg);
  let written: Array<Promise<boolean>> = [];
  for (let n = present; n < count; n++) {
    const [kind, id, row] = required(rows[n % rows.length]);
    const user = `user-${Math.floor(n / rows.length)}`;
    written.push(store.put(kind, idFor(user, id), { ...row, expiresAt: neverSwept }));
    if (written.length < batch) continue;
    await Promise.all(written);
    written = [];
  }
  await Promise.all(written);
}

/** Deletes all rows but those that filled the store. */
export async function sweepAll(store: Store): Promise<void> {
  while (await store.sweep(neverSwept) > 0);
}

/** Notes what a sign-in and a flow store, apart from what is the server's own. */
async function rowsOfUser(store: Store, alg: "ES256" | "EdDSA"): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  const note = (...row: StoredRow) => {
    if (!ownKinds.includes(row[0])) rows.push(row);
  };
  const noting: Store = {
    ...store,
    put: async (kind, id, row, options) => {
      note(kind, id, row);
      return await store.put(kind, id, row, options);
    },
    add: async (...row) => (note(...row), await store.add(...row)),
  };
  const server = await openLiveServer(noting, alg);
  await server.flow();
  return rows;
}

/** Ids that begin with the name of a user are of another user; all others only have to differ. */
function idFor(user: string, id: string): string {
  return id.startsWith("alice/") ? id.replace("alice", user) : `${id}-${user}`;
}
