import { describe } from "node:test";
import { makeProof, proofKey } from "../../support/dpop.ts";
import {
  api,
  type Case,
  type Cases,
  issuer,
  itLooksTheSame,
  lateForToken,
  outsideLabs,
  removeDora,
  used,
} from "../../support/same_refusals.ts";
import { asExchanging, exchangeOf } from "./fixtures.ts";

function exchange(subject_token: string): Case {
  return (kit) => kit.token({ ...exchangeOf(subject_token), audience: api }, asExchanging);
}

const exchangedTokens: Cases = {
  "exchange.token 1": exchange("a"),
  "exchange.token 2": used(exchange, lateForToken),
  "exchange.token 3": used(exchange, removeDora),
  "exchange.token 4": used(exchange),
  "exchange.token 5": async (kit) => {
    const now = kit.clock.now;
    const DPoP = await makeProof(await proofKey(), "POST", `${issuer}/oauth2/token`, { now });
    const bound = await kit.redeem(await kit.code(), {}, { DPoP });
    return await exchange(bound.body.access_token)(kit);
  },
};

describe(outsideLabs, () => itLooksTheSame("A token to exchange", exchangedTokens));
