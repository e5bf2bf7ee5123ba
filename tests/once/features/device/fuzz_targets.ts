import { assert, assertEquals } from "@std/assert";
import { readDeviceRequest } from "../../../../src/server/features/device/device_authorization.ts";
import { readUserCode } from "../../../../src/server/features/device/user_code.ts";
import { parseParameters } from "../../../../src/server/protocol/form_parameters.ts";
import { applyRule } from "../../../../src/server/protocol/rule.ts";
import { openKit } from "../../../support/kit.ts";
import { present } from "../../../support/present.ts";
import { acceptedBy, type FuzzTarget, fuzzTarget } from "../../fuzz/fuzz_target.ts";
import { anyForm, parameterValues } from "../../fuzz/generators/forms.ts";
import { anyText } from "../../fuzz/generators/texts.ts";

const { settings } = openKit().server.context;
const client = present(await settings.clients.get("demo-cli"));

/** Requests of devices, and what users type. */
export const deviceTargets: readonly FuzzTarget[] = [
  fuzzTarget("readDeviceRequest gives what the client may have", anyForm, async (text) => {
    const request = await acceptedBy(() =>
      readDeviceRequest(applyRule, parseParameters(applyRule, text), client, settings)
    );
    assert((request?.scope ?? []).every((token) => settings.scopes.has(token)));
  }),

  fuzzTarget(
    "readUserCode reads its own spelling alike",
    parameterValues.user_code ?? anyText,
    (typed) => {
      const code = readUserCode(typed);
      if (code === undefined) return;
      assert(/^[A-Z]{8}$/.test(code), code);
      assertEquals(readUserCode(code.toLowerCase()), code);
    },
  ),
];
