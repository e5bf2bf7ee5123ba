import { chmodSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { messageOf } from "../../server/util/text/error_message.ts";
import { day } from "../../server/util/time/duration.ts";
import { createDeferred } from "../../server/util/time/promises.ts";
import type { Lab } from "../control/lab.ts";
import type { TokenFile, TokenFileOptions } from "../control/token_file.ts";
import type { WorkloadTokens } from "../dialect/workload_settings.ts";
import { readJwt } from "../recording/credentials.ts";
import { LabError } from "../util/lab_error.ts";
import type { LabParts } from "./lab_parts.ts";
import { createFileTokens } from "./token_request.ts";

/** When a token is replaced, as a part of its life, and at the latest, in milliseconds. */
const replacedAt = 0.8;
const longest = 1 * day * 1000;

/** How long to wait after a request that failed, in milliseconds. */
const retryTime = 1000;

/** A file that is larger holds no token, in bytes. */
const largest = 64 * 1024;

/** What a file depends on. */
type FileParts = Pick<LabParts, "clock" | "events" | "waits" | "base">;

/** The file that a test wants. */
interface WantedFile {
  path: string;
  tokens: WorkloadTokens | undefined;
  options: TokenFileOptions;
}

/**
 * Writes a token into a file that only its owner reads, and rewrites it when most of its life is
 * over, by the clock of the lab.
 *
 * @throws {LabError} There is another file, or it cannot be written, or there is no token.
 */
export async function openTokenFile(
  lab: Pick<Lab, "respond">,
  { clock, events, waits, base }: FileParts,
  { path, tokens, options }: WantedFile,
): Promise<TokenFile> {
  const source = createFileTokens(lab, base, tokens, options);
  const span = Math.min(source.lifetime * 1000 * replacedAt, longest);
  let isOpen = true;
  let writtenAt = -Infinity;
  let token = "";
  let writing: Promise<void> | undefined;

  const isDue = () => clock.now() < writtenAt || clock.now() >= writtenAt + span;

  async function write(): Promise<void> {
    const at = clock.now();
    const next = await source.request();
    if (!isOpen) return;
    writeToken(path, next);
    [token, writtenAt] = [next, at];
  }

  /** An application and the loop below may notice at once that a rewrite is due. */
  function writeOnce(): Promise<void> {
    return writing ??= write().finally(() => writing = undefined);
  }

  /** The platform keeps a token that it cannot replace, until the token expires. */
  function throwIfExpired(cause: unknown): void {
    if (clock.now() >= writtenAt + source.lifetime * 1000) throw cause;
  }

  async function follow(): Promise<void> {
    while (isOpen && !waits.isClosed()) {
      const hasFailed = isDue() && await writeOnce().then(() => false, () => true);
      const left = hasFailed ? retryTime : writtenAt + span - clock.now();
      const { promise: moved, resolve } = createDeferred<void>();
      const unsubscribe = events.subscribe(({ type }) => type === "clock.moved" && resolve());
      await waits.within(clock.frozen && !hasFailed ? Infinity : left, moved);
      unsubscribe();
    }
  }

  function remove(): void {
    if (isOpen) rmSync(path, { force: true });
    isOpen = false;
  }

  checkPlace(path);
  await writeOnce();
  void follow();
  return {
    path,
    async current() {
      if (isDue()) await writeOnce().catch(throwIfExpired);
      return token;
    },
    remove,
    [Symbol.dispose]: remove,
  };
}

/** Checks that no file is lost. One with a token is from a lab that ended too early. */
function checkPlace(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (found.isSymbolicLink()) {
    throw new LabError(`There is a link at '${path}'. Name the file itself.`);
  }
  // To read a pipe would block the lab.
  if (found.isFile() && found.size <= largest && readJwt(readFileSync(path, "utf8").trim())) return;
  throw new LabError(`There is a file at '${path}' that holds no token. Choose another path.`);
}

/** Replaces the file at once: a reader finds the old token or the new one, and no part of it. */
function writeToken(path: string, token: string): void {
  // Nothing is at a name that cannot be guessed: no planted link, and no file that would be lost.
  const next = `${path}.${crypto.randomUUID()}`;
  try {
    writeFileSync(next, token, { mode: 0o600, flag: "wx" });
    chmodSync(next, 0o600);
    checkOwner(path, next);
    renameSync(next, path);
  } catch (cause) {
    rmSync(next, { force: true });
    throw new LabError(`Cannot write the token to '${path}': ${messageOf(cause)}`);
  }
}

/** The token of another program may be that of a real platform. A new file is always our own. */
function checkOwner(path: string, ownFile: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.uid === lstatSync(ownFile).uid) return;
  throw new LabError("The file belongs to another user.");
}
