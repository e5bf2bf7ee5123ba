import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import { changeRequest } from "../recording/changed_request.ts";
import type { StandInExchange } from "./stand_in.ts";

/**
 * Replaces a refresh token that the server does not know with the one that it issued. `issued` has
 * the latter by the former.
 */
export function withIssuedRefreshToken(
  { request, wireRequest }: Pick<StandInExchange, "request" | "wireRequest">,
  issued: { get(token: string): string | undefined },
): IncomingRequest {
  const issuedToken = issued.get(wireRequest.form.get("refresh_token") ?? "");
  if (issuedToken === undefined) return request;
  const body = new URLSearchParams(wireRequest.form);
  body.set("refresh_token", issuedToken);
  return changeRequest(request, wireRequest, body.toString());
}
