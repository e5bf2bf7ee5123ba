import type { RequestContext } from "../../issuer/context.ts";
import { requireIdTokenHint } from "../../issuer/requests/id_token_hint.ts";
import { findUsersBy } from "../../issuer/users/find_users.ts";
import { findUser, subjectFor } from "../../issuer/users/users.ts";
import type { Client } from "../../model/client.ts";
import { mayUse, type User } from "../../model/user.ts";
import type { SubjectHint } from "../../protocol/interactive_request.ts";
import { requirePresent } from "../../protocol/rule.ts";
import { matchesHash, sha256 } from "../../util/crypto/hash.ts";
import { isObject, parseJson } from "../../util/text/json.ts";
import { backchannelRules } from "./backchannel_rules.ts";
import { cibaClientOf, cibaServer } from "./config.ts";
import { cibaParts } from "./parts.ts";
import type { AskedRequest } from "./read_request.ts";

/**
 * Finds the user whom a request is about, who may use the client. Hints that name no such user are
 * limited: with them, a client could try out who is a user here.
 */
export async function requireHintedUser(
  ctx: RequestContext,
  client: Client,
  { idTokenHint, loginHint = "" }: AskedRequest["hint"],
): Promise<User> {
  const name = await ctx.keys.derive("ciba-hints", client.id);
  const user = await cibaParts(ctx).guessLimits.check(
    { name },
    async () => {
      const found = idTokenHint === undefined
        ? await findByLoginHint(ctx, client, loginHint)
        : await findBySubject(ctx, client, await requireIdTokenHint(ctx, idTokenHint));
      return found && mayUse(found, client) ? found : undefined;
    },
  );
  return requirePresent(ctx.apply, backchannelRules.user_known, user);
}

/** Checks the code with which a user lets a client ask (CIBA, section 7.1). */
export async function checkUserCode(
  ctx: RequestContext,
  client: Client,
  user: User,
  userCode: string | undefined,
): Promise<void> {
  if (!cibaClientOf(client).backchannelUserCode) return;
  const code = requirePresent(ctx.apply, backchannelRules.user_code_present, userCode);
  const name = await ctx.keys.derive("ciba-user-code", user.subject);
  const isRight = await cibaParts(ctx).guessLimits.check(
    { name, sender: ctx.sender },
    async () => await isUserCode(ctx, user, code) || undefined,
  );
  ctx.apply(backchannelRules.user_code, { isRight: isRight !== undefined });
}

async function isUserCode(
  { settings }: RequestContext,
  user: User,
  code: string,
): Promise<boolean> {
  const { userCodes = {} } = cibaServer.of(settings);
  if (typeof userCodes === "function") return await userCodes(user, code);
  const expected = new Map(Object.entries(userCodes)).get(user.name);
  return await matchesHash(code, expected === undefined ? undefined : await sha256(expected));
}

/** A name comes first. Otherwise the hint must be the address or number of one user alone. */
async function findByLoginHint(
  ctx: RequestContext,
  client: Client,
  hint: string,
): Promise<User | undefined> {
  const named = await findUser(ctx, hint);
  if (named) return named;
  const own = readOwnSubject(ctx, client, hint);
  if (own) return await findBySubject(ctx, client, own);
  return onlyEnabled(await findUsersBy(ctx, hint.includes("@") ? "email" : "phone_number", hint));
}

/**
 * Reads the JSON by which some clients name a user: `{"format":"iss_sub","iss":…,"sub":…}` (RFC
 * 9493, section 3.2.3).
 */
function readOwnSubject(
  { settings }: RequestContext,
  client: Client,
  hint: string,
): SubjectHint | undefined {
  const named = hint.startsWith("{") ? parseJson(hint) : undefined;
  if (!isObject(named) || named.format !== "iss_sub" || typeof named.sub !== "string") {
    return undefined;
  }
  // Some clients add a slash to every issuer.
  const isOwn = [settings.issuer, `${settings.issuer}/`].some((issuer) => issuer === named.iss);
  return isOwn ? { clientId: client.id, subject: named.sub } : undefined;
}

async function findBySubject(
  ctx: RequestContext,
  client: Client,
  { subject, clientId }: SubjectHint,
): Promise<User | undefined> {
  // Another client's pairwise subject would reveal who a user is there.
  if (clientId !== client.id) return undefined;
  const isSame = async (user: User) => await subjectFor(ctx, client, user) === subject;
  return onlyEnabled(await findUsersBy(ctx, "subject", subject, isSame));
}

/** Returns the one user who can sign in, unless several can. */
function onlyEnabled(users: readonly User[]): User | undefined {
  const enabled = users.filter(({ disabled }) => !disabled);
  return enabled.length === 1 ? enabled[0] : undefined;
}
