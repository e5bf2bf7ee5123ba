import type { Config } from "./config.ts";
import type { ReportProblem } from "./problems.ts";
import { checkValue } from "./schema.ts";
import { configSchema } from "./schemas.ts";
import { withoutTestSettings } from "./test_settings.ts";

/** Reports where a configuration differs from its schema. Returns it without those for tests. */
export function checkShape(config: Config, report: ReportProblem): Config {
  const given = withoutTestSettings(config, report);
  checkValue(configSchema, given, "", report);
  return given;
}

/** Whether every setting has the right type. Its value may still be invalid. */
export function hasShape(config: Config): boolean {
  let isRight = true;
  checkShape(config, () => {
    isRight = false;
  });
  return isRight;
}
