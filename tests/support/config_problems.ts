import { assert } from "@std/assert";
import { ConfigError } from "../../src/server/config/problems.ts";
import { type Config, createServer } from "../../src/server/features.ts";

/** Returns the problems of a configuration. */
export function problemsOf(config: unknown): readonly string[] {
  try {
    createServer(config as Config);
    return [];
  } catch (cause) {
    assert(cause instanceof ConfigError, String(cause));
    return cause.problems;
  }
}
