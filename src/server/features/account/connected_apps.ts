import { findActiveAuthorization } from "../../issuer/authorizations/active_authorization.ts";
import { authorizationsOfUser } from "../../issuer/authorizations/authorization_rows.ts";
import { consentParties } from "../../issuer/authorizations/consents.ts";
import { findClient } from "../../issuer/clients/clients.ts";
import type { Context } from "../../issuer/context.ts";
import { idPrefix, idsEnd, joinId, splitId } from "../../issuer/records/row_id.ts";
import type { Consent } from "../../issuer/records/rows.ts";
import type { Table } from "../../issuer/records/table.ts";
import type { AccessRights } from "../../model/access_token.ts";
import type { User } from "../../model/user.ts";
import { claimsBeyondScope } from "../../protocol/claim_rules.ts";

const clientsPerPage = 50;

/**
 * The maximum number of authorizations read per client. A client gets one with every sign-in, and
 * reading all of them would be expensive.
 */
const maxPerClient = 50;

/** A client to which a user has given lasting access. */
export interface ConnectedApp {
  clientId: string;
  access: AccessRights;
  /** The claims that it may see beyond those of its scope. */
  claims: string[];
  /** When the user first and last allowed it something, in milliseconds. */
  since: number;
  latest: number;
}

/** A row whose id begins with a user and a client. */
type UserRow<T> = [id: string, value: T];

type RowsByClient<T> = Map<string, Array<UserRow<T>>>;

/** Lists the clients that have a remembered consent of a user, or an active authorization. */
export async function listConnectedApps(
  ctx: Context,
  user: User,
  after?: string,
): Promise<{
  apps: ConnectedApp[];
  /** The client after which the next page begins, if there are more. */
  next?: string | undefined;
}> {
  const { consents, userAuthorizations } = ctx.records;
  const withConsent = await rowsByClient(consents, user.subject, after);
  const withAuthorization = await rowsByClient(userAuthorizations, user.subject, after);
  const clientIds = [...new Set([...withConsent.keys(), ...withAuthorization.keys()])].sort(byRow);
  const page = clientIds.slice(0, clientsPerPage);
  const rowsOf = <T>(rows: RowsByClient<T>) => page.flatMap((id) => rows.get(id) ?? []);
  const apps = new Map<string, ConnectedApp>();
  const found = [
    ...await appsWithConsent(ctx, user, rowsOf(withConsent)),
    ...(await Promise.all(page.map((clientId) => {
      const latest = withAuthorization.get(clientId)?.map(([, { since }]) => since) ?? [];
      return latest.length === 0
        ? []
        : appsWithAuthorization(ctx, user, clientId, Math.max(...latest));
    }))).flat(),
  ];
  for (const app of found) {
    const sameApp = apps.get(app.clientId);
    apps.set(app.clientId, sameApp ? mergeApps(sameApp, app) : app);
  }
  const next = clientIds.length > page.length ? page.at(-1) : undefined;
  return { apps: [...apps.values()], next };
}

/**
 * Reads the first rows of each client of a user, until a page of clients is full. Skips the rows of
 * a client beyond `maxPerClient` unread.
 */
async function rowsByClient<T>(
  table: Table<T>,
  subject: string,
  after?: string,
): Promise<RowsByClient<T>> {
  const byClient: RowsByClient<T> = new Map();
  let last = after;
  do {
    last = await addRows(byClient, table, subject, last);
  } while (last !== undefined);
  return byClient;
}

/** Adds rows until a client or the page is full. Returns the client to continue after, if any. */
async function addRows<T>(
  byClient: RowsByClient<T>,
  table: Table<T>,
  subject: string,
  after: string | undefined,
): Promise<string | undefined> {
  const start = after === undefined ? undefined : idsEnd(subject, after);
  for await (const row of table.each(idPrefix(subject), start)) {
    const [, clientId = ""] = splitId(row[0]);
    const rows = byClient.get(clientId) ?? [];
    if (rows.length === 0 && byClient.size > clientsPerPage) return undefined;
    byClient.set(clientId, [...rows, row]);
    if (rows.length + 1 >= maxPerClient) return clientId;
  }
  return undefined;
}

/** Compares clients in the order in which the store lists their rows. */
function byRow(one: string, other: string): number {
  return joinId(one) < joinId(other) ? -1 : 1;
}

async function appsWithConsent(
  ctx: Context,
  { instance }: User,
  rows: ReadonlyArray<UserRow<Consent>>,
): Promise<ConnectedApp[]> {
  const apps = await Promise.all(rows.map(async ([rowId, consent]) => {
    const { clientId } = consentParties(rowId);
    const client = await findClient(ctx, clientId);
    // Both names may have been reassigned. Consent to a client that is gone can still be withdrawn.
    const isTheirs = consent.userInstance === instance &&
      (!client || consent.clientInstance === client.instance);
    if (!isTheirs) return [];
    const { scopeAt, claims = [], since } = consent;
    const access = {
      scope: [...new Set(Object.values(scopeAt).flat())],
      resources: Object.keys(scopeAt).filter((resource) => resource !== ""),
    };
    return [{ clientId, access, claims, since, latest: since }];
  }));
  return apps.flat().sort((one, other) => one.since - other.since);
}

/** Returns what each active authorization of a client allows it. */
async function appsWithAuthorization(
  ctx: Context,
  { subject }: User,
  clientId: string,
  latest: number,
): Promise<ConnectedApp[]> {
  const apps: ConnectedApp[] = [];
  let read = 0;
  for await (const authorization of authorizationsOfUser(ctx, subject, clientId)) {
    const active = await findActiveAuthorization(ctx, { authorization: authorization.id });
    if (active) {
      const { scope, claims: requested, authTime } = authorization;
      const claims = claimsBeyondScope(scope, requested, ctx.settings, active.client);
      const since = authTime === undefined ? latest : authTime * 1000;
      apps.push({ clientId, access: authorization, claims, since, latest });
    }
    if (++read >= maxPerClient) break;
  }
  return apps;
}

function mergeApps(one: ConnectedApp, other: ConnectedApp): ConnectedApp {
  return {
    clientId: one.clientId,
    access: {
      scope: union(one.access.scope, other.access.scope),
      resources: union(one.access.resources, other.access.resources),
      authorizationDetails: [one, other].flatMap(({ access }) => access.authorizationDetails ?? []),
    },
    claims: union(one.claims, other.claims),
    since: Math.min(one.since, other.since),
    latest: Math.max(one.latest, other.latest),
  };
}

function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])];
}
