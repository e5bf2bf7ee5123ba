import type { CoreConfig } from "./config.ts";
import { collectProblems } from "./problems.ts";
import { checkValue, type ObjectSchema } from "./schema.ts";
import { withoutTestSettings } from "./test_settings.ts";

/**
 * Checks each setting of a configuration by itself, and returns it without those for tests. Throws a
 * `ConfigError` with every setting that is malformed.
 */
export function checkShape(config: CoreConfig, schema: ObjectSchema): CoreConfig {
  const { report, throwAny } = collectProblems();
  const given = withoutTestSettings(config, schema, report);
  checkValue(schema, given, "", report);
  throwAny("start the server");
  return given;
}
