import type { Config } from "./config.ts";
import { withoutLabSettings } from "./lab_settings.ts";
import type { ReportProblem } from "./problems.ts";
import { checkValue } from "./schema.ts";
import { configSchema } from "./schemas.ts";

/** Reports where a configuration differs from its schema. Returns it without settings of labs. */
export function checkShape(config: Config, report: ReportProblem): Config {
  const given = withoutLabSettings(config, report);
  checkValue(configSchema, given, "", report);
  return given;
}

/** Whether every setting has the type that it should have, whatever its value. */
export function hasShape(config: Config): boolean {
  let isRight = true;
  checkShape(config, () => {
    isRight = false;
  });
  return isRight;
}
