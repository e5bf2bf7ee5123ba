import { findAccessToken } from "../../server/endpoints/userinfo.ts";
import type { Context } from "../../server/issuer/context.ts";
import { errorFactory, OAuthError } from "../../server/protocol/oauth_error.ts";
import { readPresentedToken } from "../../server/protocol/presented_token.ts";
import { createRuleLog } from "../../server/protocol/rule.ts";
import type { Exchange } from "../recording/exchange.ts";

/** Where the record keeps why a request was refused. */
export type LearnedRefusal = Pick<Exchange, "events" | "rules">;

const insufficientScope = errorFactory("insufficient_scope");

/** The API of a provider has no route at the server: the rules for its token are applied here. */
export async function learnTokenRefusal(
  ctx: Context,
  token: string,
  learned: LearnedRefusal,
): Promise<void> {
  const { applied, apply } = createRuleLog(true);
  const header = token === "" ? null : `Bearer ${token}`;
  const policy = { schemes: ["Bearer"], algs: [] } as const;
  learned.rules = applied;
  try {
    readPresentedToken(apply, header, undefined, policy);
    await findAccessToken({ ...ctx, apply }, token);
    learnRefusal(insufficientScope("The access token is not about a user."), learned);
  } catch (cause) {
    if (!(cause instanceof OAuthError)) throw cause;
    learnRefusal(cause, learned);
  }
}

/** Learns that a token has none of the scopes that an API needs. */
export function learnScopeRefusal(
  needed: readonly string[],
  scope: string,
  learned: LearnedRefusal,
): void {
  const message = `The access token needs the scope '${needed.join("' or '")}'.`;
  const details = { received: scope || "none", expected: needed.join(" or ") };
  learnRefusal(insufficientScope(message, details), learned);
}

function learnRefusal(error: OAuthError, learned: LearnedRefusal): void {
  const { code, status, rule, parameter, see, hint, loggedAs: description } = error;
  learned.events = [...learned.events, {
    type: "request.refused",
    method: "GET",
    path: "unknown",
    status,
    error: code,
    description,
    ...rule && { rule: rule.id },
    ...parameter !== undefined && { parameter },
    ...see !== undefined && { see },
    ...hint !== undefined && { hint },
  }];
}
