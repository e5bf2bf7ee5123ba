import { describe } from "node:test";
import {
  answerDevice,
  beginDevice,
  deviceGrant,
  pollDevice,
  typeCode,
} from "../../support/device.ts";
import type { Fields, Kit } from "../../support/kit.ts";
import {
  type Case,
  type Cases,
  day,
  dora,
  itLooksTheSame,
  outsideLabs,
  removeDora,
} from "../../support/same_refusals.ts";

const otherClient = { id: "other-cli", native: true, grantTypes: [deviceGrant] };

/** Begins a device flow, and polls after something has happened. */
function poll(
  act: (kit: Kit, userCode: string) => unknown,
  fields: Fields = {},
): Case {
  return async (kit) => {
    const { body } = await beginDevice(kit);
    await act(kit, body.user_code);
    return await pollDevice(kit, body.device_code, fields);
  };
}

const deviceCodes: Cases = {
  "device_code.known": (kit) => pollDevice(kit, "a"),
  "device_code.fresh": poll((kit) => kit.clock.advance(day)),
  "device_code.client": poll(() => {}, { client_id: "other-cli" }),
  "device_code.active": poll(async (kit, userCode) => {
    await answerDevice(kit, userCode, dora);
    await removeDora(kit);
  }),
};

/** Enters a user code after something has happened. */
function enter(act: (kit: Kit, userCode: string) => unknown): Case {
  return async (kit) => {
    const { body } = await beginDevice(kit);
    await act(kit, body.user_code);
    const { status, headers, html } = await typeCode(kit, kit.browser(), body.user_code);
    return { status, headers, text: html, body: {} as never };
  };
}

const userCodes: Cases = {
  "user_code.refused 1": async (kit) => {
    const { status, headers, html } = await typeCode(kit, kit.browser(), "BBBB-BBBB");
    return { status, headers, text: html, body: {} as never };
  },
  "user_code.refused 2": enter((kit) => kit.clock.advance(day)),
  "user_code.refused 3": enter((kit, userCode) => answerDevice(kit, userCode)),
};

describe(outsideLabs, () => {
  itLooksTheSame("A device code", deviceCodes, [otherClient]);
  itLooksTheSame("A user code", userCodes);
});
