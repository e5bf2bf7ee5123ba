import { ConfigError } from "../../server/config/problems.ts";
import { StoreUnavailableError, UnreadableStoreError } from "../../server/store/store_errors.ts";

/**
 * An invalid command line, environment or file. The program prints the message and exits with code
 * 2.
 */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Returns the error of a command that needs the port that a program got. */
export function anyPort(whose: string, options: string): UsageError {
  return new UsageError(`Port 0 stands for any free port: name that of ${whose} by ${options}.`);
}

/** Thrown if what a command asks another server for, or reads, may be there later. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/** The exit code of a command that succeeded. */
export const success = 0;
/** The exit code of a command that failed. */
export const failure = 1;
/** The exit code if the command line, the environment or the configuration is invalid. */
export const invalid = 2;
/**
 * The exit code if the store is unreachable, starting or full, a provider does not respond, or a
 * certificate is missing. The command may succeed later.
 */
export const unavailable = 3;
/** The exit code of `exec` and `report` if nothing reached the lab. */
export const noTraffic = 5;
/** The exit code of `exec` if the command of the user cannot be started. */
export const notStarted = 7;
/** The exit code of `exec`, `report` and `drill` if a client broke a rule, or a drill found one. */
export const ruleBroken = 8;
/** The exit code of a command that the user interrupted, as shells have it. */
export const interrupted = 130;

const invalidities = [UsageError, ConfigError, UnreadableStoreError];

/** Returns the exit code for an error that ends the program. */
export function exitCodeOf(cause: unknown): number {
  if (invalidities.some((Invalidity) => cause instanceof Invalidity)) return invalid;
  const isPassing = cause instanceof StoreUnavailableError || cause instanceof UnavailableError;
  return isPassing ? unavailable : failure;
}
