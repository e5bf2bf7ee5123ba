import type { SessionEntry } from "../../administration/administration.ts";
import { changeCommand, type StoreCall, storeCommand } from "../administration/store_command.ts";
import { type Command, type Option, valueOf } from "../command_line/command.ts";
import { mapEach, printRows, type TableRow } from "../command_line/listing.ts";

const user: Option = { name: "user", valueName: "NAME", help: "only sessions of this user" };

export const sessionCommands: readonly Command[] = [
  storeCommand({
    name: "session list",
    help: "lists the browsers in which users are signed in",
    examples: [
      "hallpass session list --user dora",
    ],
    options: [user],
    run: listSessions,
  }),
  changeCommand({
    name: "session end",
    operandName: "SID",
    help: "signs a user out in one browser; only offline access survives",
    change: ({ sessions }, sid) => sessions.end(sid),
  }),
];

async function listSessions({ admin, ctx, invocation, terminal }: StoreCall): Promise<void> {
  const entries = admin.sessions.list(valueOf(invocation, "user"));
  const lifetime = ctx.settings.lifetimes.session;
  const rows = mapEach(entries, (entry) => rowOf(entry, lifetime));
  await printRows(invocation, terminal, rows, "There are no sessions.");
}

function rowOf({ session, clientIds }: SessionEntry, lifetime: number): TableRow {
  const { sid, userName, authTime, userAgent } = session;
  return {
    sid,
    user: userName,
    browser: [userAgent?.browser, userAgent?.system].filter(Boolean).join(" "),
    clients: clientIds.join(" "),
    since: formatSeconds(authTime),
    until: formatSeconds(authTime + lifetime),
  };
}

function formatSeconds(time: number): string {
  return new Date(time * 1000).toISOString();
}
