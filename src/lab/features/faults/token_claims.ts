import type { HandledRequest } from "../../layers/pending_exchange.ts";
import { tokenOf, type WireResponse } from "../../recording/exchange.ts";
import { changeTokens } from "../../responses/change_tokens.ts";
import { accessToken, changePart, idToken, userClaims } from "../../responses/part.ts";
import { places } from "../../responses/places.ts";
import type { TokenDraft } from "../../tokens/signed_tokens.ts";
import type { ChangingFault, FaultContext, FaultMemory } from "./fault.ts";

/** The fault that adds claims to the tokens of a response. */
export const claimFaults: Readonly<Record<"token.claims", ChangingFault>> = {
  "token.claims": {
    summary: "Both tokens, and userinfo for this access token, have the 'claims' of the fault.",
    appliesTo: places.token,
    canChange: (response, { server }) =>
      [accessToken, idToken].some((part) => part.read(response, server) !== undefined),
    change: addClaims,
  },
};

/** Adds the claims of an access token to a response of userinfo. */
export async function withAddedClaims(
  { request, server, addedClaims }: HandledRequest & FaultMemory,
  response: WireResponse,
): Promise<WireResponse> {
  if (!places.userinfo(request)) return response;
  const added = addedClaims.get(tokenOf(request) ?? "");
  if (added === undefined) return response;
  return await changePart(userClaims, server, response, (claims) => ({ ...claims, ...added }));
}

async function addClaims(
  response: WireResponse,
  { server, fault: { claims }, addedClaims }: FaultContext,
): Promise<WireResponse> {
  const add = async (draft: TokenDraft) => ({ ...draft, claims: { ...draft.claims, ...claims } });
  const changed = await changeTokens(server, response, { token: add, id_token: add });
  // Another fault may have added claims before.
  const earlier = addedClaims.get(accessToken.read(response, server) ?? "");
  const token = accessToken.read(changed, server);
  if (token !== undefined) addedClaims.set(token, { ...earlier, ...claims });
  return changed;
}
