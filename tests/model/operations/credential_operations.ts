import { isAsked } from "../activity.ts";
import { type Answer, answerOf } from "../answers.ts";
import {
  type Credential,
  named,
  newCredential,
  ofAuthorization,
  openRequest,
} from "../credentials.ts";
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
const pollErrors = ["authorization_pending", "slow_down", "access_denied", "expired_token"];

/** What a client polls for, and spends if its user has allowed the request by then. */
const polled = newCredential("auth_req_id", "", allowRequest);

/** What the client `app` does with its credentials. */
export const credentialOperations: readonly Operation[] = [
  spending("redeem code", "code", redeemCode),
  spending("redeem device code", "device code", redeemDeviceCode),
  {
    name: "ask a user",
    needs: ["client"],
    holds: (node) => isAsked(node, "erin"),
    run: async (node) => answerOf(await askUser(node, "app", "erin")),
  },
  {
    name: "ask again",
    needs: ["client"],
    // A client has one open request for a user.
    ends: named(openRequest),
    holds: (node) => isAsked(node, "dora"),
    run: async (node) => answerOf(await askUser(node, "app", "dora")),
  },
  spending("redeem auth_req_id", "auth_req_id", redeemAuthReqId),
  {
    name: "poll while the user decides",
    needs: ["client"],
    spends: polled.name,
    polls: polled,
    async run(node, { authReqId }) {
      const response = await redeemAuthReqId(node, "app", authReqId);
      const id = newCredential("auth_req_id", authReqId, allowRequest);
      const answer = answerWithTokens(id, response);
      const usesNothing = pollErrors.includes(response.body.error ?? "");
      return usesNothing ? { ...answer, outcome: "not allowed" } : answer;
    },
  },
  spending("refresh", "refresh token", redeemRefreshToken),
  spending("refresh offline", "offline refresh token", redeemRefreshToken),
  {
    ...spending("refresh with grace", "refresh token", redeemRefreshToken),
    settings: { grace: true },
  },
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

/** A token request that spends a credential. */
function spending(name: string, spends: string, redeem: typeof redeemRefreshToken): Operation {
  return {
    name,
    needs: [spends, "client"],
    spends,
    async run(node, world) {
      const credential = credentialOf(world, spends);
      return answerWithTokens(credential, await redeem(node, "app", credential.value));
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
