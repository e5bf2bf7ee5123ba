import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import type { DeviceRequest } from "../../src/server/features/device/device_request.ts";
import { denyDevice } from "../../src/server/features/device/devices.ts";
import { findClient } from "../../src/server/issuer/clients/clients.ts";
import {
  finishInteraction,
  startInteraction,
} from "../../src/server/issuer/requests/interactions.ts";
import { requireStoredRequest } from "../../src/server/issuer/requests/stored_requests.ts";
import { type Browser, checkFormToken } from "../../src/server/issuer/sessions/browsers.ts";
import { toParameters } from "../../src/server/protocol/form_parameters.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

const { server, events, clock } = openKit();
const ctx = server.context;
const client = present(await findClient(ctx, "demo-spa"));

const requestOf = (id: string, secondsLeft: number): DeviceRequest => ({
  clientId: client.id,
  requestedBy: { clientId: client.id },
  scope: [],
  resources: [],
  prompt: ["consent"],
  device: { id, expiresAt: clock.now + secondsLeft * 1000 },
});

describe("A user who comes too late", () => {
  const late: Record<string, [act: () => Promise<unknown>, problem: string]> = {
    "with a form of another browser": [
      () => checkFormToken(ctx, undefined, "sign-in", toParameters([])),
      "outdated or was made for another browser",
    ],
    "with a pushed request that is gone": [
      () => requireStoredRequest(ctx, client, "gone"),
      "unknown, expired or already completed",
    ],
    "with the code of a device that gave up": [
      () => denyDevice(ctx, requestOf("one", 0), client),
      "has expired",
    ],
    "with the code of a device that another browser denied": [async () => {
      await denyDevice(ctx, requestOf("two", 1), client);
      await denyDevice(ctx, requestOf("two", 1), client);
    }, "was already used"],
    "with a form that was sent before": [async () => {
      const browser = { secret: "s", hash: "h" } as Browser;
      const interaction = await startInteraction(ctx, requestOf("four", 1), browser);
      await finishInteraction(ctx, interaction);
      await finishInteraction(ctx, interaction);
    }, "already completed"],
  };
  for (const [what, [act, problem]] of Object.entries(late)) {
    it(`sees that the page has expired: ${what}`, async () => {
      const error = await assertRejects(act, OAuthError, problem) as OAuthError;
      assertEquals(error.isExpired, true);
    });
  }

  it("is one event for a device that is denied", async () => {
    await denyDevice(ctx, requestOf("three", 1), client);
    const denied = events.filter((event) => event.type === "device.denied");
    assertEquals(denied.some((event) => event.device === "three"), true);
  });
});
