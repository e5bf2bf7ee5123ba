import { answerOf } from "../answers.ts";
import { credentialOf, type Operation } from "../operation.ts";
import { postAs, redeemCode, redeemRefreshToken } from "../requests.ts";
import type { NodeResponse, ServerNode } from "../server_node.ts";

/** What a thief tries: another client's credentials, and a code without its verifier. */
export const foreignOperations: readonly Operation[] = [
  foreign("redeem another client's code", "code", (node, code) => redeemCode(node, "other", code)),
  foreign(
    "redeem a code with a wrong verifier",
    "code",
    (node, code) =>
      redeemCode(node, "app", code, {
        code_verifier: "a-wrong-verifier-that-has-43-characters-xxxxx",
      }),
  ),
  foreign(
    "redeem a code with a wrong redirect URI",
    "code",
    (node, code) => redeemCode(node, "app", code, { redirect_uri: "https://app.example/other" }),
  ),
  foreign(
    "refresh with another client's token",
    "refresh token",
    (node, token) => redeemRefreshToken(node, "other", token),
  ),
  {
    ...foreign(
      "revoke another client's token",
      "refresh token",
      (node, token) => postAs(node, "other", "/oauth2/revoke", { token }),
    ),
    // A token that has ended counts as revoked (RFC 7009, section 2.2).
    needs: ["refresh token"],
  },
];

function foreign(
  name: string,
  credential: string,
  send: (node: ServerNode, value: string) => Promise<NodeResponse>,
): Operation {
  return {
    name,
    isForeign: true,
    run: async (node, world) => answerOf(await send(node, credentialOf(world, credential).value)),
  };
}
