import { ConfigError } from "../../server/config/problems.ts";
import { StoreUnavailableError } from "../../server/store/unavailable.ts";
import { failure, invalid, unavailable, UsageError } from "../command_line/command.ts";

/** Returns the exit code for an error that ends the program. */
export function exitCodeOf(cause: unknown): number {
  if (cause instanceof UsageError || cause instanceof ConfigError) return invalid;
  return cause instanceof StoreUnavailableError ? unavailable : failure;
}
