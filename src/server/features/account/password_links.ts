import { defaultPolicies } from "../../config/policies.ts";
import { type Context, serverPart } from "../../issuer/context.ts";
import type { AdminContext } from "../../issuer/directory/changes.ts";
import { changeStored, placeOfUser } from "../../issuer/directory/directory_entries.ts";
import { randomSecret } from "../../issuer/random.ts";
import { AdminError } from "../../issuer/records/lock.ts";
import { forever } from "../../issuer/records/table.ts";
import { fromNow } from "../../issuer/time.ts";
import type { PasswordLink, User } from "../../model/user.ts";
import { issuerUrl } from "../../protocol/issuer_url.ts";
import { equalInConstantTime, sha256 } from "../../util/crypto/hash.ts";
import { day } from "../../util/time/duration.ts";

/** In seconds. */
const lifetime = 1 * day;

const kindOfLeads = "password-link";

/** What leads to the users who may have an open link, by name. */
const leads = serverPart(({ records }) => records.open.plain<null>(kindOfLeads));

/** Returns until when links of an earlier version may be open, to which nothing leads. */
async function endOfEarlierLinks({ now, records: { completions } }: Context): Promise<number> {
  const at = now() + lifetime * 1000;
  await completions.add(kindOfLeads, { passes: 1, at }, forever);
  return (await completions.find(kindOfLeads))?.at ?? at;
}

/** A link that an administrator gives to a user. */
export interface MadePasswordLink {
  /** Whoever has it can choose the password. */
  url: string;
  /** In milliseconds. */
  until: number;
}

/** A link that was not used, without its secret. */
export interface OpenPasswordLink extends Omit<PasswordLink, "hash"> {
  userName: string;
}

/** Makes a link by which a user of the store chooses a password. A link made before ends. */
export async function createPasswordLink(
  ctx: AdminContext,
  name: string,
  kind: PasswordLink["kind"],
): Promise<MadePasswordLink> {
  if (hasOwnSignIn(ctx)) {
    throw new AdminError(
      "The configuration has an 'authenticate' policy, which needs no password.",
    );
  }
  const link = randomSecret(ctx);
  const until = fromNow(ctx, lifetime);
  const passwordLink = { kind, hash: await sha256(link), until };
  await endOfEarlierLinks(ctx);
  await leads(ctx).put(name, null, until);
  await changeStored(ctx, placeOfUser(ctx, name), (user) => {
    checkMayHave(user, kind);
    return { ...user, passwordLink };
  });
  const query = new URLSearchParams({ user: name, link });
  return { url: `${issuerUrl(ctx.settings.frontChannelUrl, `/${kind}`)}?${query}`, until };
}

export async function revokePasswordLink(ctx: AdminContext, name: string): Promise<void> {
  await changeStored(ctx, placeOfUser(ctx, name), (user) => {
    if (findOpenLink(ctx, user)) return { ...user, passwordLink: undefined };
    throw new AdminError(`The user '${name}' has no open link.`);
  });
}

/** Lists the links that can still be used. */
export async function listPasswordLinks(ctx: AdminContext): Promise<OpenPasswordLink[]> {
  const links: OpenPasswordLink[] = [];
  for await (const user of usersWithLinks(ctx)) {
    const { kind, until } = findOpenLink(ctx, user) ?? {};
    if (kind && until) links.push({ userName: user.name, kind, until });
  }
  return links;
}

/** Yields the users who may have an open link: all, while an earlier version may have made some. */
async function* usersWithLinks(ctx: AdminContext): AsyncGenerator<User> {
  const { users } = ctx.records;
  if (ctx.now() < await endOfEarlierLinks(ctx)) {
    for await (const [, user] of users.each()) yield user;
    return;
  }
  for await (const [name] of leads(ctx).each()) {
    const user = await users.find(name);
    if (user) yield user;
  }
}

/** Whether users sign in by a policy of the configuration, which may know nothing of passwords. */
export function hasOwnSignIn({ settings: { policies } }: Context): boolean {
  return policies.authenticate !== defaultPolicies.authenticate;
}

/** Whether a secret is that of a user's link, which can still be used. */
export function opensAccount(ctx: Context, user: User, secretHash: string): boolean {
  const link = findOpenLink(ctx, user);
  return link !== undefined && equalInConstantTime(link.hash, secretHash);
}

function findOpenLink(
  { now }: Context,
  { disabled, passwordLink }: User,
): PasswordLink | undefined {
  return !disabled && passwordLink && passwordLink.until > now() ? passwordLink : undefined;
}

function checkMayHave({ name, disabled, passwordHash }: User, kind: PasswordLink["kind"]): void {
  if (disabled) {
    throw new AdminError(`The user '${name}' is disabled. First: hallpass user enable ${name}`);
  }
  if (kind === "invite" && passwordHash !== undefined) {
    throw new AdminError(
      `The user '${name}' has a password already. For another: hallpass user reset ${name}`,
    );
  }
}
