import { OutboundError } from "../../../src/server/http/outbound_fetch.ts";
import { ask, token } from "../refusals.ts";
import { hasFeature } from "../where_feature.ts";
import type { BrokenRules, RuleLab } from "./rule_lab.ts";

/** Acts twice as a sender whose network is known. */
export function twice(act: (kit: RuleLab) => unknown) {
  return async (kit: RuleLab) => {
    kit.address = "192.0.2.1";
    await act(kit);
    await act(kit);
  };
}

/** Limits on what one network may do. */
export const limitRows: BrokenRules = {
  "limit.stored_data": { settings: { storedBytesPerMinute: 1 }, play: twice(ask({})) },
  "limit.guesses": {
    settings: { guessesPerMinute: 1 },
    play: twice(token({ client_id: "no-code", client_secret: "wrong" })),
  },
  ...hasFeature("documents") && {
    "limit.fetches": {
      settings: {
        documentsPerMinute: 1,
        fetchUntrusted: () => Promise.reject(new OutboundError("refused")),
      },
      play: twice(ask({ client_id: "https://app.example/a" })),
    },
  },
};
