import { tokenExchangeGrantType } from "../../../src/server/protocol/grant_types.ts";
import {
  api,
  as,
  type BrokenRules,
  ofUnknownClient,
  proofIn,
  type RuleLab,
  type RuleRows,
} from "../../support/broken_rules/rule_lab.ts";
import type { Fields } from "../../support/kit.ts";
import { type Play, token } from "../../support/refusals.ts";
import { hasFeature } from "../../support/where_feature.ts";

const accessToken = "urn:ietf:params:oauth:token-type:access_token";
const other = "urn:ietf:params:oauth:token-type:saml2";

/** Gets a token of a user at demo-spa for the API. */
async function userToken(kit: RuleLab, changes: Fields = {}): Promise<string> {
  return (await kit.tokens({ resource: api, scope: "openid read", ...changes })).access_token;
}

/** Gets a token of a client of its own. */
async function ownToken(kit: RuleLab, id = "exchanging"): Promise<string> {
  const fields = { grant_type: "client_credentials", scope: "read" };
  return (await kit.token(fields, as(id))).body.access_token;
}

/** Exchanges a token of a user, with changes. */
function exchange(changes: Fields, client = "exchanging", asked: Fields = {}): Play<RuleLab> {
  return async (kit) => await exchanged(kit, await userToken(kit, asked), changes, client);
}

async function exchanged(
  kit: RuleLab,
  subject_token: string,
  changes: Fields = {},
  client = "exchanging",
): Promise<string> {
  const grant_type = tokenExchangeGrantType;
  const fields = { grant_type, subject_token, subject_token_type: accessToken, ...changes };
  return (await kit.token(fields, as(client))).body.access_token;
}

/** Exchanges a token with an actor, and the result again and again. */
async function exchangeOften(kit: RuleLab, times: number, hasActor: boolean): Promise<void> {
  let subject = await userToken(kit);
  for (let time = 0; time < times; time++) {
    const actor = hasActor ? await actorFields(kit) : {};
    subject = await exchanged(kit, subject, { resource: api, ...actor });
  }
}

async function actorFields(kit: RuleLab): Promise<Fields> {
  return { actor_token: await ownToken(kit), actor_token_type: accessToken };
}

/** The rules of token exchange, in their order. */
const rows: BrokenRules = {
  ...ofUnknownClient(
    "exchange.client",
    token({ grant_type: tokenExchangeGrantType, client_id: "any" }),
  ),
  "exchange.requested_type": exchange({ requested_token_type: other }),
  "subject_token.present": exchange({ subject_token: undefined }),
  "subject_token_type.present": exchange({ subject_token_type: undefined }),
  "exchange.subject_token_type": exchange({ subject_token_type: other }),
  "actor_token.present": exchange({ actor_token_type: accessToken }),
  "actor_token_type.present": exchange({ actor_token: "a" }),
  "exchange.actor_token_type": exchange({ actor_token: "a", actor_token_type: other }),
  "exchange.delegation": async (kit) =>
    await exchange(await actorFields(kit), "impersonating")(kit),
  "exchange.impersonation": exchange({}, "delegating"),
  "exchange.token": exchange({ subject_token: "a" }),
  "exchange.key": async (kit) => {
    const code = await kit.code({ resource: api });
    const { body } = await kit.redeem(code, {}, { DPoP: await proofIn(kit) });
    await exchanged(kit, body.access_token);
  },
  "exchange.subject": exchange({}, "choosy"),
  "exchange.chain": (kit) => exchangeOften(kit, 10, false),
  ...hasFeature("faults") && {
    "exchange.may_act": async (kit) => {
      kit.lab.fault("token.claims", { claims: { may_act: { sub: "who" } } });
      const subject = await userToken(kit);
      await exchanged(kit, subject, await actorFields(kit));
    },
  },
  "exchange.scope": exchange({}, "writing"),
  "exchange.actors": (kit) => exchangeOften(kit, 9, true),
};

/** Token exchanges that succeed. */
const successes: BrokenRules = {
  "exchange": async (kit) => await exchange({ audience: api, ...await actorFields(kit) })(kit),
};

export const exchangeRuleRows: RuleRows = {
  file: "../../features/token_exchange/rule_rows.ts",
  rows,
  successes,
};
