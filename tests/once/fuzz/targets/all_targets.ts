import type { FuzzTarget } from "../fuzz_target.ts";
import { flowTargets } from "./flows.ts";
import { parameterTargets } from "./parameters.ts";
import { requestTargets } from "./requests.ts";
import { uriTargets } from "./uris.ts";

/** Everything that is fuzzed. */
export const targets: readonly FuzzTarget[] = [
  ...parameterTargets,
  ...uriTargets,
  ...requestTargets,
  ...flowTargets,
];
