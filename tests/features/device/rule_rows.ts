import type { BrokenRules, RuleLab, RuleRows } from "../../support/broken_rules/rule_lab.ts";
import type { Browser, UserActions } from "../../support/browser.ts";
import { answerDevice, beginDevice, deviceGrant, pollDevice } from "../../support/device.ts";
import type { Fields, Kit } from "../../support/kit.ts";
import { firstOfEach, polledRows } from "../../support/polled_rows.ts";
import { type Play, post, type Refusals } from "../../support/refusals.ts";

const client = { id: "demo-cli", native: true, grantTypes: [deviceGrant] };
const otherClient = { ...client, id: "other-cli" };

/** Begins a device flow, and returns what its client and its user can do about it. */
async function begin(kit: Kit, client_id?: string) {
  const as: Fields = client_id === undefined ? {} : { client_id };
  const { device_code, user_code } = (await beginDevice(kit, as)).body;
  return {
    poll: (changes: Fields = {}) => pollDevice(kit, device_code, { ...as, ...changes }),
    answer: (actions?: UserActions, browser?: Browser) =>
      answerDevice(kit, user_code, actions, browser),
  };
}

/** The polls that are refused. */
export const refusedPolls: Refusals = polledRows({
  parameter: "device_code",
  ids: "",
  lifetime: 10 * 60,
  begin: (kit) => begin(kit),
  asOther: { clients: [client, otherClient], fields: { client_id: otherClient.id } },
  stored: {
    client: { ...client, id: "stored", scopes: ["openid", "profile", "read"] },
    begin: (kit) => begin(kit, "stored"),
  },
});

/** Decides on a page that was opened before something happened. */
function decides(act: (kit: Kit, answer: () => Promise<unknown>) => unknown): Play<RuleLab> {
  return async (kit) => {
    const browser = kit.browser();
    const { answer } = await begin(kit);
    await answer({}, {
      ...browser,
      async decide(page, decision) {
        await act(kit, answer);
        return await browser.decide(page, decision);
      },
    });
  };
}

/** The rules of the device flow. */
const rows: BrokenRules = {
  "device.allowed": post("/oauth2/device_authorization", {}),
  ...firstOfEach(refusedPolls, /^device_code/),
  "user_code.in_time": decides((kit) => kit.clock.advance(10 * 60)),
  "user_code.unused": decides((_, answer) => answer()),
};

export const deviceRuleRows: RuleRows = { file: "../../features/device/rule_rows.ts", rows };
