import { readFile, rename, writeFile } from "node:fs/promises";
import type { VetState } from "../../lab/vet/vet_result.ts";
import { toHex } from "../../server/util/bytes/hex.ts";
import { digest } from "../../server/util/crypto/hash.ts";
import { hasErrorCode } from "../../server/util/text/error_message.ts";
import { canonicalJson, isObject, parseJson } from "../../server/util/text/json.ts";
import { reasonOf } from "../terminal/explain_error.ts";
import { UsageError } from "../terminal/usage_error.ts";

/** Where an interrupted `vet` keeps what it has found. */
export interface ResumeFile {
  /** What an earlier `vet` of the same command has found. */
  previous: VetState | undefined;
  /** Writes what was found, after what was written before. */
  save(state: VetState): void;
  /** Resolves when everything is written; rejects if something could not be. */
  saved(): Promise<void>;
}

/**
 * Opens the file of `--resume`. `options` are what it belongs to: another command, or other labs,
 * would have other outcomes. Only their hash is written, because they may contain credentials.
 */
export async function openResumeFile(path: string, options: unknown): Promise<ResumeFile> {
  const command = await hashOf(options);
  let saving = Promise.resolve();
  const write = async ({ plain, outcomes }: VetState) => {
    // A process that is killed leaves a whole file.
    await writeFile(`${path}.part`, JSON.stringify({ command, plain, outcomes }, null, 2));
    await rename(`${path}.part`, path);
  };
  return {
    previous: await readState(path, command),
    save(state) {
      saving = saving.then(() => write(state));
      // A failure is reported at the end, by `saved`.
      saving.catch(() => {});
    },
    saved: () => saving,
  };
}

async function hashOf(value: unknown): Promise<string> {
  return toHex(await digest("SHA-256", canonicalJson(value)));
}

async function readState(path: string, command: string): Promise<VetState | undefined> {
  const text = await readFile(path, "utf8").catch((cause) => {
    if (hasErrorCode(cause, "ENOENT")) return undefined;
    throw new UsageError(`The file ${path} cannot be read: ${reasonOf(cause)}`);
  });
  if (text === undefined) return undefined;
  const content = parseJson(text);
  if (!isObject(content) || !isObject(content.plain) || !Array.isArray(content.outcomes)) {
    throw new UsageError(`The file ${path} was not written by vet. Name another.`);
  }
  if (content.command !== command) {
    throw new UsageError(
      `The file ${path} belongs to a vet with another command or other options. Remove it to begin ` +
        "anew, or name another.",
    );
  }
  return content as unknown as VetState;
}
