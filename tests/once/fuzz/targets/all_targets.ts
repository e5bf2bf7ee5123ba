import type { FuzzTarget } from "../fuzz_target.ts";
import { configTargets } from "./configs.ts";
import { flowTargets } from "./flows.ts";
import { httpTargets } from "./http.ts";
import { jwtTargets } from "./jwts.ts";
import { labTargets } from "./labs.ts";
import { parameterTargets } from "./parameters.ts";
import { requestTargets } from "./requests.ts";
import { resourceTargets } from "./resources.ts";
import { secretTargets } from "./secrets.ts";
import { uriTargets } from "./uris.ts";

/** Everything that is fuzzed. */
export const targets: readonly FuzzTarget[] = [
  ...parameterTargets,
  ...uriTargets,
  ...requestTargets,
  ...httpTargets,
  ...jwtTargets,
  ...configTargets,
  ...resourceTargets,
  ...flowTargets,
  ...labTargets,
  ...secretTargets,
];
