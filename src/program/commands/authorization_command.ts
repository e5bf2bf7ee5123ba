import type { Administration, Authorization } from "../../administration/administration.ts";
import { changeCommand, type StoreCall, storeCommand } from "../administration/store_command.ts";
import { type Command, type Invocation, type Option, valueOf } from "../command_line/command.ts";
import { printRows, type TableRow } from "../command_line/listing.ts";

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
    examples: ["hallpass authorization remove ID --config hallpass.json"],
    confirm: async ({ authorizations }, id) => {
      const { clientId, userName } = await authorizations.show(id);
      return `the authorization of the client '${clientId}' by the user '${userName}'`;
    },
    change: ({ authorizations }, id) => authorizations.remove(id),
  }),
];

async function listAuthorizations({ admin, invocation, terminal }: StoreCall): Promise<void> {
  const rows = wantedRows(admin, invocation);
  await printRows(invocation, terminal, rows, "There are no authorizations.");
}

async function* wantedRows(
  { authorizations }: Administration,
  invocation: Invocation,
): AsyncGenerator<TableRow> {
  const userName = valueOf(invocation, "user");
  const clientId = valueOf(invocation, "client");
  for await (const each of authorizations.list(userName)) {
    if (clientId === undefined || clientId === each.clientId) yield rowOf(each);
  }
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
    scope: scope.join(" "),
    since: new Date(since).toISOString(),
    until: new Date(issuingUntil).toISOString(),
  };
}
