import {
  add as addClient,
  disable as disableClient,
  enable as enableClient,
} from "../../../src/administration/clients.ts";
import type { BrokenRules, RuleLab, RuleRows } from "../../support/broken_rules/rule_lab.ts";
import { answerDevice, beginDevice, pollDevice } from "../../support/device.ts";
import type { Fields } from "../../support/kit.ts";
import { type Play, post } from "../../support/refusals.ts";

/** Begins a device flow, and does something with its codes. */
function device(
  act: (kit: RuleLab, deviceCode: string, userCode: string) => unknown,
  asked: Fields = {},
): Play<RuleLab> {
  return async (kit) => {
    const { body } = await beginDevice(kit, asked);
    await act(kit, body.device_code, body.user_code);
  };
}

/** The rules of the device flow, in their order. */
const rows: BrokenRules = {
  "device.allowed": post("/oauth2/device_authorization", {}),
  "device_code.present": (kit) => pollDevice(kit, "", {}),
  "device_code.known": (kit) => pollDevice(kit, "a"),
  "device_code.client": device((kit, code) => pollDevice(kit, code, { client_id: "other-cli" })),
  "device_code.same_client": async (kit) => {
    const { context } = kit.server;
    const stored = { client_id: "stored" };
    await addClient(context, { ...kit.lab.clients.get("demo-cli"), id: "stored" });
    const { body } = await beginDevice(kit, stored);
    await disableClient(context, "stored");
    await enableClient(context, "stored");
    await pollDevice(kit, body.device_code, stored);
  },
  "device_code.fresh": device((kit, code) => {
    kit.clock.advance(24 * 60 * 60);
    return pollDevice(kit, code);
  }),
  "device_code.in_time": device((kit, code) => {
    kit.clock.advance(11 * 60);
    return pollDevice(kit, code);
  }),
  "device_code.decided": device((kit, code) => pollDevice(kit, code)),
  "device_code.interval": device(async (kit, code) => {
    await pollDevice(kit, code);
    await pollDevice(kit, code);
  }),
  "device_code.allowed": device(async (kit, code, userCode) => {
    await answerDevice(kit, userCode, { decision: "deny" });
    await pollDevice(kit, code);
  }),
  "device_code.active": device(async (kit, code, userCode) => {
    await answerDevice(kit, userCode);
    kit.lab.users.remove("alice");
    await pollDevice(kit, code);
  }),
  "user_code.in_time": device(async (kit, _code, userCode) => {
    const browser = kit.browser();
    await answerDevice(kit, userCode, {}, {
      ...browser,
      decide(page, decision) {
        kit.clock.advance(10 * 60);
        return browser.decide(page, decision);
      },
    });
  }),
  "user_code.unused": device(async (kit, _code, userCode) => {
    const browser = kit.browser();
    await answerDevice(kit, userCode, {}, {
      ...browser,
      async decide(page, decision) {
        await answerDevice(kit, userCode);
        return await browser.decide(page, decision);
      },
    });
  }),
  "device_code.unused": device(async (kit, code, userCode) => {
    await answerDevice(kit, userCode);
    await pollDevice(kit, code);
    await pollDevice(kit, code);
  }),
};

export const deviceRuleRows: RuleRows = { file: "../../features/device/rule_rows.ts", rows };
