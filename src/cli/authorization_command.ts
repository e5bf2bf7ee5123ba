import { AdminError } from "../issuer/admin/admin_error.ts";
import { revokeAuthorization } from "../issuer/authorizations/authorizations.ts";
import type { Context } from "../issuer/context.ts";
import type { Authorization } from "../issuer/records/rows.ts";
import { formatScope } from "../protocol/scope.ts";
import { change } from "./change.ts";
import { type Command, valueOf } from "./command.ts";
import { printLines, type TableRow } from "./listing.ts";
import type { Option } from "./options.ts";
import { storeOptions, withContext } from "./with_context.ts";

const user: Option = { name: "user", value: "NAME", help: "only what this user allowed" };
const client: Option = { name: "client", value: "ID", help: "only what this client may do" };

/** What an operator can do with what people allowed. */
export const authorizationCommands: readonly Command[] = [
  {
    name: "authorization list",
    help: "lists what users have allowed to which clients",
    options: [...storeOptions, user, client],
    run: (invocation, terminal) =>
      withContext(invocation, terminal, async ({ records }) => {
        const [userName, clientId] = [valueOf(invocation, "user"), valueOf(invocation, "client")];
        const all = (await records.authorizations.list()).map(([, authorization]) => authorization);
        const meant = all.filter((each) =>
          (userName ?? each.userName) === each.userName &&
          (clientId ?? each.clientId) === each.clientId
        );
        return printLines(invocation, terminal, meant.map(lineOf), "There are no authorizations.");
      }),
  },
  change(
    ["authorization remove", "ID"],
    "takes one back: every token that was issued from it is dead at once",
    removeAuthorization,
  ),
];

async function removeAuthorization(ctx: Context, id: string): Promise<void> {
  const authorization = await ctx.records.authorizations.find(id);
  if (!authorization) throw new AdminError(`There is no authorization '${id}'.`);
  await revokeAuthorization(ctx, authorization, "an operator removed it");
}

function lineOf(
  { id, userName, clientId, scope, authTime, issuingUntil }: Authorization,
): TableRow {
  return {
    id,
    user: userName,
    client: clientId,
    scope: formatScope(scope),
    // Without a sign-in, all that comes of it was issued at once.
    since: new Date(authTime === undefined ? issuingUntil : authTime * 1000).toISOString(),
    until: new Date(issuingUntil).toISOString(),
  };
}
