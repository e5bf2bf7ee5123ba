import { consentParties } from "../../../server/issuer/authorizations/consents.ts";
import { disconnectApp } from "../../../server/issuer/authorizations/withdrawals.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { listUsers } from "../../../server/issuer/directory/directory_entries.ts";
import { unknownName } from "../../util/lab_error.ts";

/** What a test can do with the consents of users. */
export interface ConsentTools {
  /**
   * Returns what users consented to: `const [consent] = await lab.consents({ user: "alice" });
   * await consent?.withdraw();`.
   *
   * @throws {LabError} There is no such user.
   */
  consents(filter?: ConsentFilter): Promise<LabConsent[]>;
}

/** Selects consents. */
export interface ConsentFilter {
  /**
   * The name of the user.
   *
   * @default every user
   */
  user?: string | undefined;
}

/** A remembered consent, as data. */
export interface ListedConsent {
  /** The id, for DELETE /consents/{id}. */
  id: string;
  /** The name of the user. */
  user: string;
  /** The id of the client. */
  client: string;
  /** The scope that the client gets without asking. */
  scope: string;
  /** When it was given: `"2030-01-01T00:00:00.000Z"`. */
  since: string;
}

/** A remembered consent of a user. */
export interface LabConsent extends ListedConsent {
  /** Withdraws it. Its tokens end, and the client has to ask again. */
  withdraw(): Promise<void>;
}

export async function listConsents(ctx: Context, { user }: ConsentFilter): Promise<LabConsent[]> {
  const users = (await listUsers(ctx)).map(({ value }) => value);
  const names = users.map(({ name }) => name);
  if (user !== undefined && !names.includes(user)) throw unknownName("user", user, names);
  const listed: LabConsent[] = [];
  for await (const [rowId, { scopeAt, since }] of ctx.records.consents.each()) {
    const { subject, clientId } = consentParties(rowId);
    const name = users.find((each) => each.subject === subject)?.name ?? subject;
    if (user !== undefined && user !== name) continue;
    listed.push({
      id: [name, clientId].map(encodeURIComponent).join(":"),
      user: name,
      client: clientId,
      scope: [...new Set(Object.values(scopeAt).flat())].join(" "),
      since: new Date(since).toISOString(),
      withdraw: () => disconnectApp(ctx, subject, clientId, "a test withdrew it"),
    });
  }
  return listed;
}

export async function withdrawConsent(ctx: Context, id: string): Promise<void> {
  const listed = await listConsents(ctx, {});
  const consent = listed.find((each) => each.id === id);
  if (!consent) throw unknownName("consent", id, listed.map((each) => each.id));
  await consent.withdraw();
}
