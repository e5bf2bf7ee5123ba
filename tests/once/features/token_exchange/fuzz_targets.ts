import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  addActor,
  readTokenExchangeRequest,
} from "../../../../src/server/features/token_exchange/token_exchange_request.ts";
import { parseParameters } from "../../../../src/server/protocol/form_parameters.ts";
import { applyRule } from "../../../../src/server/protocol/rule.ts";
import { acceptedBy, type FuzzTarget, fuzzTarget } from "../../fuzz/fuzz_target.ts";
import { anyForm } from "../../fuzz/generators/forms.ts";
import { anyText } from "../../fuzz/generators/texts.ts";

/** Requests to exchange tokens, and who acts for whom. */
export const exchangeTargets: readonly FuzzTarget[] = [
  fuzzTarget("readTokenExchangeRequest refuses or reads any form", anyForm, async (text) => {
    const request = await acceptedBy(() =>
      readTokenExchangeRequest(applyRule, parseParameters(applyRule, text))
    );
    if (request) assert(request.subject.token !== "");
  }),

  fuzzTarget("addActor keeps every actor", fc.array(anyText, { maxLength: 14 }), async (actors) => {
    const chain = await acceptedBy(() =>
      actors.reduce(
        (chain, sub) => addActor(applyRule, chain, sub),
        addActor(applyRule, undefined, undefined),
      )
    );
    let length = 0;
    for (let each = chain; each; each = each.act) length++;
    if (chain) assertEquals(length, actors.length);
  }),
];
