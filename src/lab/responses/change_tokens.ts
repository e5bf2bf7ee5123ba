import type { InternalServer } from "../../server/server.ts";
import { leftHalf } from "../../server/util/crypto/hash.ts";
import type { WireResponse } from "../recording/exchange.ts";
import { changeToken, type TokenDraft } from "../tokens/signed_tokens.ts";
import { accessToken, changePart, idToken } from "./part.ts";

/** Changes a token before it is signed again. */
export type ChangeToken = (draft: TokenDraft) => Promise<TokenDraft>;

/** Knows tokens again that were changed on their way to a client. */
export interface TokenFollower {
  /** Makes a change of the tokens in a response hold when a client presents them. */
  follow(server: InternalServer, before: WireResponse, after: WireResponse): Promise<void>;
}

export async function changeTokens(
  server: InternalServer,
  response: WireResponse,
  { token: change, id_token: changeIdToken }: {
    token: ChangeToken | undefined;
    id_token: ChangeToken | undefined;
  },
): Promise<WireResponse> {
  const { context } = server;
  const changed = change
    ? await changePart(
      accessToken,
      server,
      response,
      (token) => changeToken(context, token, change),
    )
    : response;
  const before = String(accessToken.read(response, server));
  const after = String(accessToken.read(changed, server));
  // The ID token names the access token by its hash, which must stay right.
  const rebind = async (draft: TokenDraft) => {
    const hash = await leftHalf(before, draft.header.alg);
    if (after !== before && draft.claims.at_hash === hash) {
      draft.claims.at_hash = await leftHalf(after, draft.header.alg);
    }
    return changeIdToken ? await changeIdToken(draft) : draft;
  };
  return await changePart(idToken, server, changed, (token) => changeToken(context, token, rebind));
}
