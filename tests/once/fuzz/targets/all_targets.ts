import { assertionTargets } from "../../features/assertions/fuzz_targets.ts";
import { callbackTargets } from "../../features/authorized/fuzz_targets.ts";
import { deviceTargets } from "../../features/device/fuzz_targets.ts";
import { faultTargets } from "../../features/faults/fuzz_targets.ts";
import { frontchannelTargets } from "../../features/frontchannel_logout/fuzz_targets.ts";
import { logoutTargets } from "../../features/logout/fuzz_targets.ts";
import { registrationTargets } from "../../features/registration/fuzz_targets.ts";
import { exchangeTargets } from "../../features/token_exchange/fuzz_targets.ts";
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
  ...assertionTargets,
  ...callbackTargets,
  ...deviceTargets,
  ...exchangeTargets,
  ...faultTargets,
  ...frontchannelTargets,
  ...logoutTargets,
  ...registrationTargets,
];
