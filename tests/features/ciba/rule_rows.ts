import {
  add as addClient,
  disable as disableClient,
  enable as enableClient,
} from "../../../src/administration/clients.ts";
import { backchannelRules } from "../../../src/server/features/ciba/backchannel_rules.ts";
import { applyRule } from "../../../src/server/protocol/rule.ts";
import type { RuleOutsideLab } from "../../support/broken_rules/outside_lab.ts";
import type { BrokenRules, RuleLab, RuleRows } from "../../support/broken_rules/rule_lab.ts";
import {
  agent,
  agentHeaders,
  answerCiba,
  beginCiba,
  beginFapi,
  beginSigned,
  fapiAgent,
  pollCiba,
  reviewRequest,
  signCiba,
} from "../../support/ciba.ts";
import { basic, type Fields } from "../../support/kit.ts";
import type { Play, PlayInSettings } from "../../support/refusals.ts";
import { hasFeature } from "../../support/where_feature.ts";

/** Begins a request, and does something with its auth_req_id. */
function begun(act: (kit: RuleLab, authReqId: string) => unknown): Play<RuleLab> {
  return async (kit) => {
    const { body } = await beginCiba(kit);
    await act(kit, body.auth_req_id);
  };
}

function asks(fields: Fields): Play<RuleLab> {
  return (kit) => beginCiba(kit, fields);
}

/** Asks as a client with other settings. */
function asksAs(changes: object, fields: Fields = {}, settings = {}): PlayInSettings<RuleLab> {
  return { settings: { clients: [agent(changes)], ...settings }, play: asks(fields) };
}

const ping = {
  backchannelDeliveryMode: "ping",
  backchannelNotificationEndpoint: "https://agent.example/ping",
};
const signing = { backchannelRequestAlg: "ES256" };
const withCode = { backchannelUserCode: true };
const userCodes = { alice: "1234" };

/** The profile that has a rule of its own needs PAR. */
const hasPar = hasFeature("pushed authorization requests");

/** What no request can break without PAR. */
export const cibaOutsideLab: Readonly<Record<string, RuleOutsideLab>> = hasPar ? {} : {
  "backchannel.binding_message_present": {
    reason: "Only the profile fapi-2.0 applies it, which needs PAR.",
    fail: () => applyRule(backchannelRules.binding_message_present, { isUnique: false }),
  },
};

/** The rules of backchannel authentication, in their order. */
const rows: BrokenRules = {
  "backchannel.allowed": (kit) => beginCiba(kit, {}, basic("demo-web", "demo-web-secret")),
  "backchannel.signed": asksAs(signing),
  "backchannel.object_alone": async (kit) =>
    await beginCiba(kit, { request: await signCiba(kit), login_hint: undefined }),
  "backchannel.object": asks({ request: "x", scope: undefined, login_hint: undefined }),
  "backchannel.openid": asks({ scope: "read" }),
  "backchannel.binding_message": asks({ binding_message: "x".repeat(100) }),
  ...hasPar && {
    "backchannel.binding_message_present": {
      settings: { profile: "fapi-2.0", clients: [fapiAgent] },
      play: (kit) => beginFapi(kit, { binding_message: undefined }),
    },
  },
  "backchannel.requested_expiry": asks({ requested_expiry: "0" }),
  "backchannel.no_hint_token": asks({ login_hint_token: "x" }),
  "backchannel.one_hint": asks({ login_hint: undefined }),
  "backchannel.notification_token": asksAs(ping),
  "backchannel.notification_token_form": asksAs(ping, { client_notification_token: "short" }),
  "backchannel.user_known": asks({ login_hint: "nobody" }),
  "backchannel.user_code_present": asksAs(withCode, {}, { userCodes }),
  "backchannel.user_code": asksAs(withCode, { user_code: "1" }, { userCodes }),
  "backchannel.one_open": begun((kit) => beginCiba(kit)),
  "limit.backchannel_requests": {
    settings: {
      backchannelRequestsPerMinute: 1,
      clients: [agent(), agent({ id: "other", secret: "s" })],
    },
    play: begun((kit) => beginCiba(kit, {}, basic("other", "s"))),
  },
  "auth_req_id.present": (kit) => pollCiba(kit, ""),
  "auth_req_id.known": (kit) => pollCiba(kit, "a"),
  "auth_req_id.client": begun((kit, id) =>
    pollCiba(kit, id, {}, basic("other-agent", "other-agent-secret"))
  ),
  "auth_req_id.same_client": async (kit) => {
    const { context } = kit.server;
    const headers = basic("stored", "stored-agent-secret-0123456789");
    const secret = "stored-agent-secret-0123456789";
    await addClient(context, agent({ id: "stored", secret }));
    const { body } = await beginCiba(kit, {}, headers);
    await disableClient(context, "stored");
    await enableClient(context, "stored");
    await pollCiba(kit, body.auth_req_id, {}, headers);
  },
  "auth_req_id.fresh": begun((kit, id) => {
    kit.clock.advance(24 * 60 * 60);
    return pollCiba(kit, id);
  }),
  "auth_req_id.in_time": begun((kit, id) => {
    kit.clock.advance(6 * 60);
    return pollCiba(kit, id);
  }),
  "auth_req_id.interval": begun(async (kit, id) => {
    await pollCiba(kit, id);
    await pollCiba(kit, id);
  }),
  "auth_req_id.decided": begun((kit, id) => pollCiba(kit, id)),
  "auth_req_id.allowed": begun(async (kit, id) => {
    await answerCiba(kit, { decision: "deny" });
    await pollCiba(kit, id);
  }),
  "auth_req_id.active": begun(async (kit, id) => {
    await answerCiba(kit);
    kit.lab.users.remove("alice");
    await pollCiba(kit, id);
  }),
  "auth_req_id.unused": begun(async (kit, id) => {
    await answerCiba(kit);
    await pollCiba(kit, id);
    await pollCiba(kit, id);
  }),
  "backchannel_decision.in_time": begun(async (kit) => {
    const browser = kit.browser();
    const page = await reviewRequest(kit, {}, browser);
    kit.clock.advance(6 * 60);
    await browser.decide(page);
  }),
  "backchannel_decision.unused": begun(async (kit) => {
    const browser = kit.browser();
    const page = await reviewRequest(kit, {}, browser);
    await answerCiba(kit);
    await browser.decide(page);
  }),
};

export const cibaRuleRows: RuleRows = {
  file: "../../features/ciba/rule_rows.ts",
  rows,
  successes: {
    "a backchannel request": (kit) => beginCiba(kit),
    "an auth_req_id": begun(async (kit, id) => {
      await answerCiba(kit);
      await pollCiba(kit, id, {}, agentHeaders);
    }),
    "a signed backchannel request": (kit) => beginSigned(kit),
  },
};
