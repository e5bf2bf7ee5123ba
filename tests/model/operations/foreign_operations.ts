import { answerOf } from "../answers.ts";
import { credentialOf, type Operation } from "../operation.ts";
import { postAs, redeemCode, redeemRefreshToken } from "../requests.ts";

/** What a thief tries: another client's credentials, and a code without its verifier. */
export const foreignOperations: readonly Operation[] = [
  {
    name: "redeem another client's code",
    isForeign: true,
    run: async (node, world) =>
      answerOf(await redeemCode(node, "other", credentialOf(world, "code").value)),
  },
  {
    name: "redeem a code with a wrong verifier",
    isForeign: true,
    run: async (node, world) =>
      answerOf(
        await redeemCode(node, "app", credentialOf(world, "code").value, {
          code_verifier: "a-wrong-verifier-that-has-43-characters-xxxxx",
        }),
      ),
  },
  {
    name: "redeem a code with a wrong redirect URI",
    isForeign: true,
    run: async (node, world) =>
      answerOf(
        await redeemCode(node, "app", credentialOf(world, "code").value, {
          redirect_uri: "https://app.example/other",
        }),
      ),
  },
  {
    name: "refresh with another client's token",
    isForeign: true,
    run: async (node, world) =>
      answerOf(await redeemRefreshToken(node, "other", credentialOf(world, "refresh token").value)),
  },
  {
    name: "revoke another client's token",
    // A token that has ended counts as revoked (RFC 7009, section 2.2).
    needs: ["refresh token"],
    isForeign: true,
    run: async (node, world) =>
      answerOf(
        await postAs(node, "other", "/oauth2/revoke", {
          token: credentialOf(world, "refresh token").value,
        }),
      ),
  },
];
