import { lstat, mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { version } from "../../../runtime/version.ts";
import { type Invocation, valueOf } from "../../command_line/command.ts";
import { success, UsageError } from "../../terminal/exit_code.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { ciLine, runFirstTest } from "./first_run.ts";
import { configFile, findProject, type Project } from "./project.ts";
import { missingTestScript, writeTestScript } from "./test_script.ts";

const secret = "a-secret-for-tests";

/** Shows what it would write to a project, writes it, and runs the first test. */
export async function runInitCommand(invocation: Invocation, terminal: Terminal): Promise<number> {
  const project = await findProject(resolve(invocation.operand ?? "."));
  const { starter, library, folder } = project;
  terminal.print(
    `Found ${starter.runner}${library ? ` and ${library.library}` : ""} in ${folder}.`,
  );
  const files = await missingFiles(project, terminal);
  for (const [path, text] of files) terminal.print(`\n--- ${path}\n${text}`);
  const script = await missingTestScript(project);
  if (script) terminal.print(`\n--- package.json, in its scripts\n${script.line}`);
  if (!await mayWrite(invocation, terminal)) return success;
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    // A file that came meanwhile stays.
    await writeFile(join(folder, path), text, { flag: "wx" });
    terminal.print(`Wrote ${path}.`);
  }
  if (script) {
    const isWritten = await writeTestScript(script);
    terminal.print(isWritten ? "Wrote package.json." : "package.json changed, and stays as it is.");
  }
  const code = await runFirstTest(project, valueOf(invocation, "from"), terminal);
  terminal.print(`For CI: ${ciLine(project)}`);
  if (library) terminal.print(`To connect the application:\n${connectingLines(project)}`);
  return code;
}

/** Returns what is not there yet, by its path. */
async function missingFiles(
  project: Project,
  terminal: Terminal,
): Promise<Array<readonly [path: string, text: string]>> {
  const { folder, starter } = project;
  const files = [
    [configFile, `${JSON.stringify(configOf(project), undefined, 2)}\n`],
    [starter.path, firstTestOf(project)],
  ] as const;
  const missing = [];
  for (const file of files) {
    const [path] = file;
    // A link is there even if it leads nowhere.
    const isThere = await lstat(join(folder, path)).then(() => true, () => false);
    if (!isThere) await checkInside(folder, path);
    if (isThere) terminal.print(`${path} is there already, and stays as it is.`);
    else missing.push(file);
  }
  return missing;
}

/** Checks that no folder of a path is a link that leads out of the project. */
async function checkInside(folder: string, path: string): Promise<void> {
  let present = dirname(join(folder, path));
  while (!await lstat(present).catch(() => undefined)) present = dirname(present);
  const real = await realpath(present).catch(() => "");
  if (`${real}${sep}`.startsWith(`${await realpath(folder)}${sep}`)) return;
  throw new UsageError(
    `Nothing was written: '${present}' is a link that leads out of the project.`,
  );
}

function configOf({ starter, client, library }: Project): object {
  return {
    ...starter.usesPackage && { $schema: "./node_modules/hallpass/config.schema.json" },
    clients: [{
      id: client.id,
      ...needsSecret(library) && { secret },
      redirectUris: [client.redirectUri],
    }],
    users: [{ name: "alice", password: "alice", claims: { name: "Alice" } }],
  };
}

function needsSecret(library: Project["library"]): boolean {
  return library?.text.includes("{secret}") ?? false;
}

/** The client may come from a file of the project, which writes no code here. */
function firstTestOf({ starter, library, client }: Project): string {
  const { id, redirectUri } = client;
  const clientSecret = client.secret ?? (needsSecret(library) ? secret : undefined);
  const fields = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: id,
    ...clientSecret !== undefined && { client_secret: clientSecret },
    redirect_uri: redirectUri,
    code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    code: "",
  });
  const values: Readonly<Record<string, string>> = {
    CLIENT_ID: starter.usesPackage ? inQuotes(id) : encodeURIComponent(id),
    REDIRECT_URI: inQuotes(redirectUri),
    ENCODED_URI: encodeURIComponent(redirectUri),
    TOKEN_REQUEST: `${fields}`,
    VERSION: version,
  };
  return starter.text.replace(
    /CLIENT_ID|REDIRECT_URI|ENCODED_URI|TOKEN_REQUEST|VERSION/g,
    (name) => values[name] ?? name,
  );
}

/** Escapes a text between the quotes of a string; the languages agree about printable ASCII. */
function inQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

async function mayWrite({ values }: Invocation, { prompt }: Terminal): Promise<boolean> {
  if (values.has("yes")) return true;
  if (!prompt) {
    throw new UsageError("Nothing was written: there is no terminal to ask at. Add --yes.");
  }
  const reply = await prompt.ask("\nWrite and run this? [y/N] ");
  return /^y(?:es)?$/i.test(reply.trim());
}

function connectingLines({ library, client }: Project): string {
  const values: Readonly<Record<string, string>> = {
    issuer: "http://localhost:9000",
    client: client.id,
    secret,
  };
  const text = library?.text.replace(
    /\{(issuer|client|secret)\}/g,
    (_, name) => values[name] ?? "",
  );
  return `in ${library?.file}, with 'hallpass lab --config ${configFile}':\n${text}`;
}
