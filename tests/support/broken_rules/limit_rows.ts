import { OutboundError } from "../../../src/server/http/outbound_fetch.ts";
import { logoutUrl, signedIn } from "../logout.ts";
import { ask, token } from "../refusals.ts";
import { register } from "../registration.ts";
import type { BrokenRules, RuleLab } from "./rule_lab.ts";

/** Acts twice as a sender whose network is known. */
function twice(act: (kit: RuleLab) => unknown) {
  return async (kit: RuleLab) => {
    kit.address = "192.0.2.1";
    await act(kit);
    await act(kit);
  };
}

/** Limits on what one network may do. */
export const limitRows: BrokenRules = {
  "limit.registrations": { settings: { registrationsPerMinute: 1 }, play: twice(register) },
  "limit.stored_data": { settings: { storedBytesPerMinute: 1 }, play: twice(ask({})) },
  "limit.guesses": {
    settings: { guessesPerMinute: 1 },
    play: twice(token({ client_id: "exchanging", client_secret: "wrong" })),
  },
  "limit.fetches": {
    settings: {
      documentsPerMinute: 1,
      fetchUntrusted: () => Promise.reject(new OutboundError("refused")),
    },
    play: twice(ask({ client_id: "https://app.example/a" })),
  },
};

/** The rules of logout requests. */
export const logoutRows: BrokenRules = {
  "logout.same_client": async (kit) => {
    const { id_token: id_token_hint } = await kit.tokens({ scope: "openid" });
    const url = logoutUrl(kit, { client_id: "other-spa", id_token_hint });
    await kit.get(url.slice(kit.issuer.length));
  },
  "logout.current": (kit) => kit.get("/oauth2/logout/a"),
};

/** Sign-outs that succeed. */
export const logoutSuccesses: BrokenRules = {
  "sign-out of a client": async (kit) => {
    const { browser, idToken: id_token_hint } = await signedIn(kit, { scope: "openid" });
    // It is not registered, so the user is asked.
    const post_logout_redirect_uri = "https://elsewhere.example/";
    const fields = { client_id: "demo-spa", id_token_hint, post_logout_redirect_uri };
    const page = await browser.open(logoutUrl(kit, fields));
    await browser.submit(page, "confirm-sign-out");
  },
};
