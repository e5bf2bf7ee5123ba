import { dirname } from "node:path";
import { messageOf, messagesOf } from "../../server/util/text/error_message.ts";
import { denoName } from "./own_name.ts";

/** What is known of a failed call of the operating system or of SQLite. */
interface FailedCall {
  /** As the operating system names it: "ENOSPC". */
  code: string;
  message: string;
  path: string | undefined;
}

/** What failures of the operating system mean, by their code. */
const systemFailures: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `this user may not use ${path}; run the command as the user who owns it`,
  EPERM: (path) => `this user may not change ${path}; run the command as the user who owns it`,
  EROFS: (path) => `${path} is on a read-only file system; choose another place`,
  ENOENT: (path) => `there is no such file or folder: ${path}; look at the path`,
  ENOTDIR: (path) => `${dirname(path)} is not a folder; choose another place`,
  EISDIR: (path) => `${path} is a folder; name a file`,
  ENOSPC: () => "the disk is full; free some space, and try again",
  EDQUOT: () => "this user may write no more to the disk; free some space, and try again",
};

/** Failures that pass once the disk has room or another process has finished. */
const passingCodes = ["ENOSPC", "EDQUOT"];
const passingWords = /disk is full|disk I\/O error|database is locked/i;

/** What failures of SQLite mean. All have the same code. */
const sqliteFailures: ReadonlyArray<[words: RegExp, explanation: string]> = [
  [/disk is full/i, "the disk is full; free some space, and try again"],
  [/disk I\/O error/i, "the disk is full, or fails; free some space, and try again"],
  [/disk image is malformed/i, "the SQLite file is damaged; restore a backup"],
  [/file is not a database/i, "the file is not a SQLite database; look at its path"],
  [
    /readonly database/i,
    "this user may not write the SQLite file or its folder; " +
    "run the command as the user who owns them",
  ],
  [
    /unable to open database file/i,
    "the SQLite file cannot be opened; look for its folder, and who may use it",
  ],
  [/database is locked/i, "another process is writing to the SQLite file; try again in a moment"],
];

/** How Deno ends its message about a missing permission. */
const flagToAdd = /,? run again with the --allow-\w+ flag\.?/;

/** A user and password before a host, as in `https://ada:s3cret@id.example`. */
const userInformation = /(?:(?<=\/\/)|[^\s'"/:]+:)[^\s/?#]*@/g;

/**
 * Returns what an error means for an operator. What the operating system or SQLite reported is
 * translated; any other error is its messages. For a permission that Deno did not give, it names
 * the task that has it: `deno task start` has only what a lab on this machine needs. A password in
 * a URL is not repeated.
 */
export function explainError(cause: unknown, command = "lab"): string {
  const explanation = explainFailedCall(cause);
  const text = explanation === undefined ? messagesOf(cause) : sentence(explanation);
  return text.replace(flagToAdd, `. Use the task that has this permission: ${taskFor(command)} …`)
    .replace(userInformation, "…@");
}

/**
 * Returns the task of `deno.json` that has every permission a command can need: `exec` has its own,
 * which may start other programs.
 */
export function taskFor(command: string): string {
  return `${denoName()} task ${command === "exec" ? command : `hallpass ${command}`}`;
}

/**
 * Returns what a failed call means, as the end of a sentence; undefined for any other error. The
 * path is what was to be opened, where the error does not name it.
 */
export function explainFailedCall(cause: unknown, path?: string): string | undefined {
  for (let error = cause; error instanceof Error; error = error.cause) {
    const call = readFailedCall(error);
    const explanation = explain({ ...call, path: call.path ?? path });
    if (explanation !== undefined) return explanation;
  }
  return undefined;
}

/**
 * Returns what a failure to open or to write something means, as the end of a sentence, which has
 * named that path if one is given.
 */
export function reasonOf(cause: unknown, path?: string): string {
  const reason = explainFailedCall(cause, path) ?? messageOf(cause);
  return path === undefined ? reason : reason.replace(`: ${path};`, ";");
}

/** Whether the same call may succeed later, with the same configuration. */
export function isPassing(cause: unknown): boolean {
  for (let error = cause; error instanceof Error; error = error.cause) {
    const { code, message } = readFailedCall(error);
    if (passingCodes.includes(code)) return true;
    if (isOfSqlite(code) && passingWords.test(message)) return true;
  }
  return false;
}

function explain({ code, message, path }: FailedCall): string | undefined {
  if (isOfSqlite(code)) {
    return sqliteFailures.find(([words]) => words.test(message))?.[1];
  }
  const explanation = systemFailures[code];
  const needsPath = code !== "ENOSPC" && code !== "EDQUOT";
  return needsPath && path === undefined ? undefined : explanation?.(path ?? "");
}

function isOfSqlite(code: string): boolean {
  return code === "ERR_SQLITE_ERROR" || code.startsWith("SQLITE_");
}

/** The messages of some runtimes name the path, where the error has no member for it. */
function readFailedCall(error: Error): FailedCall {
  const { code, path } = error as Error & { code?: unknown; path?: unknown };
  // Deno names the permission to give it.
  if (/^Requires \w+ access/.test(error.message)) return { code: "", message: "", path: undefined };
  const inMessage = /'([^']+)'/.exec(error.message)?.[1];
  return {
    code: typeof code === "string" ? code : "",
    message: error.message,
    path: typeof path === "string" ? path : inMessage,
  };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
