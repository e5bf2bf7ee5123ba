import type { Config } from "./config.ts";
import { collectProblems } from "./problems.ts";
import { checkValue } from "./schema.ts";
import { configSchema } from "./schemas.ts";
import { withoutTestSettings } from "./test_settings.ts";

/**
 * Checks each setting of a configuration by itself, and returns it without those for tests. Throws a
 * `ConfigError` with every setting that is malformed.
 */
export function checkShape(config: Config): Config {
  const { report, throwAny } = collectProblems();
  const given = withoutTestSettings(config, report);
  checkValue(configSchema, given, "", report);
  throwAny("start the server");
  return given;
}
