import { assert } from "@std/assert";
import { readPostLogoutRedirect } from "../../../../src/server/features/logout/logout_request.ts";
import { parseParameters } from "../../../../src/server/protocol/form_parameters.ts";
import { applyRule } from "../../../../src/server/protocol/rule.ts";
import { openKit } from "../../../support/kit.ts";
import { present } from "../../../support/present.ts";
import { acceptedBy, type FuzzTarget, fuzzTarget } from "../../fuzz/fuzz_target.ts";
import { anyForm } from "../../fuzz/generators/forms.ts";

const { settings } = openKit().server.context;
const client = present(await settings.clients.get("demo-spa"));

/** Requests to sign out. */
export const logoutTargets: readonly FuzzTarget[] = [
  fuzzTarget("readPostLogoutRedirect leads to registered URIs", anyForm, async (text) => {
    const redirect = await acceptedBy(() =>
      readPostLogoutRedirect(parseParameters(applyRule, text), client)
    );
    if (redirect?.location) assert(redirect.location.startsWith("https://hallpass.test/"));
  }),
];
