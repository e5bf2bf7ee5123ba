import { type AdminContext, recordChange } from "../../server/issuer/admin/changes.ts";
import { AdminError } from "../../server/issuer/admin/directory_entries.ts";
import type { Extent } from "../../server/issuer/admin/extent.ts";
import { revokeAuthorization } from "../../server/issuer/authorizations/authorizations.ts";
import type { Authorization } from "../../server/issuer/records/rows.ts";
import { formatScope } from "../../server/protocol/scope.ts";
import { changeCommand } from "../administration/change_command.ts";
import { type StoreCall, storeCommand } from "../administration/store_access.ts";
import { type Command, valueOf } from "../command_line/command.ts";
import { printRows, type TableRow } from "../command_line/listing.ts";
import type { Option } from "../command_line/options.ts";

const user: Option = {
  name: "user",
  valueName: "NAME",
  help: "only authorizations by this user",
};
const client: Option = {
  name: "client",
  valueName: "ID",
  help: "only authorizations of this client",
};

/** The commands for authorizations. */
export const authorizationCommands: readonly Command[] = [
  storeCommand({
    name: "authorization list",
    help: "lists what users have allowed clients to do",
    examples: [
      "hallpass authorization list --user dora",
      "hallpass authorization list --client web --json",
    ],
    options: [user, client],
    run: listAuthorizations,
  }),
  changeCommand({
    name: "authorization remove",
    operandName: "ID",
    help: "revokes an authorization; every token issued from it stops working immediately",
    confirm: async (ctx, id) => {
      const { clientId, userName } = await requireAuthorization(ctx, id);
      return `the authorization of the client '${clientId}' by the user '${userName}'`;
    },
    change: removeAuthorization,
  }),
];

async function listAuthorizations({ ctx, invocation, terminal }: StoreCall): Promise<void> {
  const userName = valueOf(invocation, "user");
  const clientId = valueOf(invocation, "client");
  const authorizations = (await ctx.records.authorizations.list())
    .map(([, authorization]) => authorization)
    .filter((each) => userName === undefined || each.userName === userName)
    .filter((each) => clientId === undefined || each.clientId === clientId);
  printRows(invocation, terminal, authorizations.map(rowOf), "There are no authorizations.");
}

async function requireAuthorization(ctx: AdminContext, id: string): Promise<Authorization> {
  const authorization = await ctx.records.authorizations.find(id);
  if (!authorization) throw new AdminError(`There is no authorization '${id}'.`);
  return authorization;
}

async function removeAuthorization(ctx: AdminContext, id: string): Promise<Extent> {
  const authorization = await requireAuthorization(ctx, id);
  await recordChange(ctx, id, [
    `client ${authorization.clientId}`,
    `user ${authorization.userName}`,
  ]);
  await revokeAuthorization(ctx, authorization, "an operator removed it");
  return { authorizations: 1 };
}

function rowOf(
  { id, userName, clientId, scope, authTime, issuingUntil }: Authorization,
): TableRow {
  // Without a sign-in, everything was issued at once.
  const since = authTime === undefined ? issuingUntil : authTime * 1000;
  return {
    id,
    user: userName,
    client: clientId,
    scope: formatScope(scope),
    since: new Date(since).toISOString(),
    until: new Date(issuingUntil).toISOString(),
  };
}
