import { readFile, rename, writeFile } from "node:fs/promises";
import type { DrillVariant } from "../../lab/drill/drill_variant.ts";
import type { PlainRun, VetOutcome, VetState } from "../../lab/vet/vet_result.ts";
import { vetVariants } from "../../lab/vet/vet_variants.ts";
import { toHex } from "../../server/util/bytes/hex.ts";
import { digest } from "../../server/util/crypto/hash.ts";
import { hasErrorCode } from "../../server/util/text/error_message.ts";
import { canonicalJson, isObject, parseJson } from "../../server/util/text/json.ts";
import { reasonOf } from "../terminal/explain_error.ts";
import { UsageError } from "../terminal/usage_error.ts";

const outcomeNames: ReadonlyArray<VetOutcome["outcome"]> = [
  "noticed",
  "accepted",
  "refused",
  "unmet",
  "unstable",
];

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
    throw new UsageError(`The file ${path} cannot be read: ${reasonOf(cause, path)}`);
  });
  if (text === undefined) return undefined;
  const content = parseJson(text);
  const { plain, outcomes } = isObject(content) ? content : {};
  if (!isObject(content) || !isPlainRun(plain) || !areOutcomes(outcomes)) {
    throw new UsageError(`The file ${path} was not written by vet. Name another.`);
  }
  if (content.command !== command) {
    throw new UsageError(
      `The file ${path} belongs to a vet with another command or other options. Remove it to ` +
        "begin anew, or name another.",
    );
  }
  // What a variant is about, and what must be done with it, no file can change.
  return { plain, outcomes: outcomes.map((each) => ({ ...each, ...variantOf(each) })) };
}

function isPlainRun(value: unknown): value is PlainRun {
  return isObject(value) && typeof value.milliseconds === "number" && isObject(value.steps) &&
    Object.values(value.steps).every((count) => typeof count === "number") &&
    Array.isArray(value.met) && value.met.every((fault) => typeof fault === "string");
}

function areOutcomes(value: unknown): value is VetOutcome[] {
  return Array.isArray(value) && value.every(isOutcome);
}

function isOutcome(value: unknown): boolean {
  if (!isObject(value) || variantOf(value) === undefined) return false;
  const { outcome, reason = "", tests = [], milliseconds = 0 } = value;
  return outcomeNames.some((name) => name === outcome) && typeof reason === "string" &&
    Array.isArray(tests) && tests.every((test) => typeof test === "string") &&
    typeof milliseconds === "number";
}

function variantOf({ fault }: { fault?: unknown }): DrillVariant | undefined {
  return vetVariants.find((variant) => variant.fault === fault);
}
