import { errorFactory, type OAuthError } from "../../server/protocol/oauth_error.ts";
import { parameterOf, type WireRequest } from "../recording/exchange.ts";
import type { FormPostRule } from "./request_settings.ts";

/** Returns the refusal of an authorization request that lacks `response_mode=form_post`. */
export function formPostRefusal(
  { scopes, description }: FormPostRule,
  request: WireRequest,
): OAuthError | undefined {
  const named = parameterOf(request, "scope")?.split(" ") ?? [];
  const needsForm = request.endpoint === "authorize" && named.some((one) => scopes.includes(one));
  if (!needsForm || parameterOf(request, "response_mode") === "form_post") return undefined;
  return errorFactory("invalid_request")(description, {
    parameter: "response_mode",
    advice: `Send response_mode=form_post with the scopes ${scopes.join(" and ")}.`,
  });
}
