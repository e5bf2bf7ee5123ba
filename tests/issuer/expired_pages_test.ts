import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { findClient } from "../../src/server/issuer/clients/clients.ts";
import {
  finishInteraction,
  startInteraction,
} from "../../src/server/issuer/requests/interactions.ts";
import { requireStoredRequest } from "../../src/server/issuer/requests/stored_requests.ts";
import { type Browser, checkFormToken } from "../../src/server/issuer/sessions/browsers.ts";
import { toParameters } from "../../src/server/protocol/form_parameters.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import type { PolledRequest } from "../../src/server/protocol/pending_request.ts";
import { openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

const { server } = openKit();
const ctx = server.context;
const client = present(await findClient(ctx, "demo-spa"));

const pending: PolledRequest = {
  clientId: client.id,
  requestedBy: { clientId: client.id },
  scope: [],
  resources: [],
  prompt: ["consent"],
};

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
    "with a form that was sent before": [async () => {
      const browser = { secret: "s", hash: "h" } as Browser;
      const interaction = await startInteraction(ctx, pending, browser);
      await finishInteraction(ctx, interaction);
      await finishInteraction(ctx, interaction);
    }, "already completed"],
  };
  for (const [what, [act, problem]] of Object.entries(late)) {
    it(`sees that the page has expired: ${what}`, async () => {
      const error = await assertRejects(act, OAuthError, problem) as OAuthError;
      assertEquals(error.details.isExpired, true);
    });
  }
});
