import {
  idJagTokenType,
  tokenExchangeGrantType,
} from "../../../src/server/protocol/grant_types.ts";
import {
  as,
  type BrokenRules,
  proofIn,
  type RuleLab,
  type RuleRows,
} from "../../support/broken_rules/rule_lab.ts";
import type { Fields } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { type Play, token } from "../../support/refusals.ts";
import type { Tokens } from "../../support/wire.ts";

const audience = "https://chat.example";
const resource = "https://chat.example/mcp";
const idTokenType = "urn:ietf:params:oauth:token-type:id_token";
const refreshTokenType = "urn:ietf:params:oauth:token-type:refresh_token";
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";

/** Gets the tokens of a user at the client that may get ID-JAGs. */
async function tokensOf(kit: RuleLab, asked: Fields = {}): Promise<Tokens> {
  const code = await kit.code({ client_id: "gateway", scope: "openid offline_access", ...asked });
  return (await kit.redeem(code, { client_id: undefined }, as("gateway"))).body;
}

async function sendRequest(kit: RuleLab, subject_token: string, changes: Fields): Promise<void> {
  const fields = {
    grant_type: tokenExchangeGrantType,
    requested_token_type: idJagTokenType,
    subject_token,
    subject_token_type: idTokenType,
    audience,
    resource,
  };
  await token({ ...fields, ...changes }, as("gateway"))(kit);
}

/** Requests an ID-JAG for a user, with changes. */
function request(changes: Fields = {}): Play<RuleLab> {
  return async (kit) => await sendRequest(kit, (await tokensOf(kit)).id_token, changes);
}

/** The rules of a request for an ID-JAG, in their order. */
const rows: BrokenRules = {
  "id_jag.client": token({
    grant_type: tokenExchangeGrantType,
    requested_token_type: idJagTokenType,
  }, as("exchanging")),
  "id_jag.actor": request({ actor_token: "a" }),
  "id_jag.details": request({ authorization_details: "[]" }),
  "id_jag.subject_token_type": request({ subject_token_type: accessTokenType }),
  "id_jag.audience_once": request({ audience: undefined }),
  "id_jag.subject_token": request({ subject_token: "a" }),
  // Only a client that was public before has a bound refresh token.
  "id_jag.proof": async (kit) => {
    const gateway = present(kit.lab.clients.get("gateway"));
    const grantTypes = ["authorization_code", "refresh_token"];
    const { secret: _, idJag: __, ...others } = gateway;
    kit.lab.clients.put({ ...others, grantTypes });
    const code = await kit.code({ client_id: "gateway", scope: "openid offline_access" });
    const { body } = await kit.redeem(code, { client_id: "gateway" }, { DPoP: await proofIn(kit) });
    kit.lab.clients.put(gateway);
    await sendRequest(kit, body.refresh_token, { subject_token_type: refreshTokenType });
  },
  "id_jag.session": async (kit) => {
    const { refresh_token } = await tokensOf(kit, { prompt: "consent" });
    kit.clock.advance(7 * 24 * 3600);
    await sendRequest(kit, refresh_token, { subject_token_type: refreshTokenType });
  },
  "id_jag.audience": request({ audience: "https://elsewhere.example" }),
  "id_jag.target": request({ resource: "https://chat.example/other" }),
  "id_jag.user": request({ audience: "https://closed.example", resource: undefined }),
  "id_jag.granted_scope": request({ scope: "chat.delete" }),
  "id_jag.relying_party": request({ audience: "https://gone.example", resource: undefined }),
};

/** Requests for an ID-JAG that succeed. */
const successes: BrokenRules = { "id_jag_issued": request() };

export const idJagRuleRows: RuleRows = {
  file: "../../features/token_exchange/id_jag_rule_rows.ts",
  rows,
  successes,
};
