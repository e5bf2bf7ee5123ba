import { isAsked } from "../activity.ts";
import { type Answer, answerOf } from "../answers.ts";
import { type Credential, named, newCredential, ofAuthorization } from "../credentials.ts";
import { credentialOf, type Operation } from "../operation.ts";
import {
  askUser,
  postAs,
  redeemAuthReqId,
  redeemCode,
  redeemDeviceCode,
  redeemRefreshToken,
} from "../requests.ts";
import type { NodeResponse } from "../server_node.ts";
import { allowRequest } from "./user_operations.ts";

/** What a poll learns that is no refusal of the poll itself. */
const pollErrors = ["authorization_pending", "slow_down", "access_denied"];

/** What the client `app` does with its credentials. */
export const credentialOperations: readonly Operation[] = [
  {
    name: "redeem code",
    needs: ["code", "client"],
    spends: "code",
    async run(node, world) {
      const code = credentialOf(world, "code");
      return answerWithTokens(code, await redeemCode(node, "app", code.value));
    },
  },
  {
    name: "redeem device code",
    needs: ["device code", "client"],
    spends: "device code",
    async run(node, world) {
      const code = credentialOf(world, "device code");
      return answerWithTokens(code, await redeemDeviceCode(node, "app", code.value));
    },
  },
  {
    name: "ask a user",
    needs: ["client"],
    // A client has one open request for a user.
    spends: "request about erin",
    holds: (node) => isAsked(node, "erin"),
    run: async (node) => answerOf(await askUser(node, "app", "erin")),
  },
  {
    name: "redeem auth_req_id",
    needs: ["auth_req_id", "client"],
    spends: "auth_req_id",
    async run(node, world) {
      const id = credentialOf(world, "auth_req_id");
      return answerWithTokens(id, await redeemAuthReqId(node, "app", id.value));
    },
  },
  {
    name: "poll while the user decides",
    needs: ["client"],
    spends: newCredential("auth_req_id", "", allowRequest).name,
    polls: allowRequest,
    async run(node, { authReqId }) {
      const response = await redeemAuthReqId(node, "app", authReqId);
      const id = newCredential("auth_req_id", authReqId, allowRequest);
      const answer = answerWithTokens(id, response);
      const usesNothing = pollErrors.includes(response.body.error ?? "");
      return usesNothing ? { ...answer, outcome: "not allowed" } : answer;
    },
  },
  refreshOperation("refresh", "refresh token"),
  refreshOperation("refresh offline", "offline refresh token"),
  { ...refreshOperation("refresh with grace", "refresh token"), settings: { grace: true } },
  {
    name: "revoke refresh token",
    needs: ["client"],
    ends: ofAuthorization("first"),
    run: async (node, world) =>
      answerOf(await postAs(node, "app", "/oauth2/revoke", tokenFields(world, "refresh token"))),
  },
  {
    name: "revoke access token",
    needs: ["client"],
    ends: named("access token"),
    run: async (node, world) =>
      answerOf(await postAs(node, "app", "/oauth2/revoke", tokenFields(world, "access token"))),
  },
];

function refreshOperation(name: string, spends: string): Operation {
  return {
    name,
    needs: [spends, "client"],
    spends,
    async run(node, world) {
      const token = credentialOf(world, spends);
      return answerWithTokens(token, await redeemRefreshToken(node, "app", token.value));
    },
  };
}

function tokenFields(world: Parameters<typeof credentialOf>[0], name: string): { token: string } {
  return { token: credentialOf(world, name).value };
}

/** Reads a token response. What was issued ends with the same things as what was spent. */
function answerWithTokens(spent: Credential, response: NodeResponse): Answer {
  const { access_token, refresh_token } = response.body;
  const tokens = [["access token", access_token], ["refresh token", refresh_token]] as const;
  const issued = tokens.flatMap(([kind, value]) =>
    value === undefined
      ? []
      : [{ ...spent, name: `${kind} for the ${spent.name}`, kind, value, isNew: true }]
  );
  return answerOf(response, issued);
}
