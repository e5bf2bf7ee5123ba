import { ConfigError } from "../config/problems.ts";
import { StoreUnavailableError } from "../store/unavailable.ts";
import { failure, invalid, unavailable, UsageError } from "./command.ts";

/** Returns the exit code of a program that an error ends. */
export function exitCodeOf(cause: unknown): number {
  if (cause instanceof UsageError || cause instanceof ConfigError) return invalid;
  return cause instanceof StoreUnavailableError ? unavailable : failure;
}
