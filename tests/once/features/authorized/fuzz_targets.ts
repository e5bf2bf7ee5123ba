import { assert } from "@std/assert";
import { readCallback } from "../../../../src/server/features/authorized/callback.ts";
import { parseParameters } from "../../../../src/server/protocol/form_parameters.ts";
import { applyRule } from "../../../../src/server/protocol/rule.ts";
import { acceptedBy, type FuzzTarget, fuzzTarget } from "../../fuzz/fuzz_target.ts";
import { anyForm } from "../../fuzz/generators/forms.ts";

/** Authorization responses, as a browser brings them. */
export const callbackTargets: readonly FuzzTarget[] = [
  fuzzTarget("readCallback reads any callback", anyForm, async (text) => {
    const callback = await acceptedBy(() => readCallback(parseParameters(applyRule, text)));
    if (callback && !callback.hasError) assert(callback.code !== "");
  }),
];
