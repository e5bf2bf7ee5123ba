import { basename } from "node:path";
import type { MovedUser } from "../../../administration/import_users.ts";
import { importedHashProblem } from "../../../server/features/user_import/hash_formats.ts";
import { type StoreCall, whenUnlocked } from "../../administration/store_command.ts";
import { operandOf } from "../../command_line/command.ts";
import { printResult } from "../../command_line/listing.ts";
import { UsageError } from "../../terminal/exit_code.ts";
import { openUsers, type ReadUser, type UserFile } from "./read_users.ts";

/** How many users are added together: as many as a lock has time for. */
const usersAtOnce = 500;

/** How many problems are printed. */
const maxListed = 20;

/** Adds the users of a file. All are checked first: if any line is wrong, no user is added. */
export async function importUsers(call: StoreCall): Promise<void> {
  const { admin, invocation, terminal } = call;
  const file = operandOf(invocation, "FILE");
  await using users = await openUsers(file);
  const count = await checkFile(call, file, users);
  await admin.users.recordImport(basename(file), count);
  const total = { added: 0, existing: 0, problems: [] as string[] };
  for await (const group of groupsOf(call, file, users)) {
    const { added, existing, problems } = await whenUnlocked(
      () => admin.users.addMany(group),
      terminal,
    );
    total.added += added;
    total.existing += existing;
    total.problems.push(...problems);
  }
  for (const problem of total.problems) terminal.printError(`warning: ${problem}`);
  const { added, existing, problems } = total;
  const left = [
    existing > 0 && `${existing} were there already`,
    problems.length > 0 && `${problems.length} could not be added`,
  ].filter(Boolean).join(", ");
  const text = `Added ${added} users${left && `; ${left}`}.`;
  printResult(invocation, terminal, { file, ...total }, text);
}

/** Returns how many users a file has. Throws if one of them can be in no store. */
async function checkFile(call: StoreCall, file: string, users: UserFile): Promise<number> {
  const found: string[] = [];
  let [count, wrong] = [0, 0];
  for await (const each of users.read()) {
    count += 1;
    const problems = await problemsOf(call, each);
    if (problems.length > 0) wrong += 1;
    if (found.length < maxListed) {
      const { name } = each.user ?? {};
      const place = typeof name === "string" ? `${each.line}, ${name}` : each.line;
      found.push(...problems.map((problem) => `  - line ${place}: ${problem}`));
    }
  }
  if (wrong === 0) return count;
  throw new UsageError(
    [`Cannot import ${file}: ${wrong} of ${count} users are not valid`, ...found].join("\n"),
  );
}

async function problemsOf(
  { admin }: StoreCall,
  { user, problem = "" }: ReadUser,
): Promise<readonly string[]> {
  return user ? await admin.users.importProblems(user, importedHashProblem) : [problem];
}

async function* groupsOf(
  call: StoreCall,
  file: string,
  users: UserFile,
): AsyncGenerator<MovedUser[]> {
  let group: MovedUser[] = [];
  for await (const each of users.read()) {
    // Another program may write the file meanwhile.
    if (!each.user || (await problemsOf(call, each)).length > 0) {
      throw new UsageError(`Cannot go on: ${file} is another one since it was checked.`);
    }
    group.push(each.user);
    if (group.length < usersAtOnce) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
