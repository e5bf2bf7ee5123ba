import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import type { StandInExchange } from "../handling/stand_in.ts";
import { changeRequest } from "../recording/changed_request.ts";
import { tokenOf } from "../recording/exchange.ts";

/**
 * Returns a request with the access token that the server issued in place of the one that the
 * client received. `originals` has the former by the latter.
 */
export function withOriginalToken(
  originals: { get(token: string): string | undefined },
  { request, wireRequest }: Pick<StandInExchange, "request" | "wireRequest">,
): IncomingRequest {
  const { url, headers, form, body } = wireRequest;
  const presented = originals.get(tokenOf(wireRequest) ?? "");
  const named = originals.get(form.get("token") ?? "");
  if (presented === undefined && named === undefined) return request;
  const authorization = presented === undefined ? undefined : `Bearer ${presented}`;
  const changedBody = named === undefined ? body : withToken(form, named);
  return changeRequest(
    request,
    { url, headers: { ...headers, ...authorization && { authorization } } },
    request.method === "GET" ? undefined : changedBody,
  );
}

function withToken(form: URLSearchParams, token: string): string {
  const changed = new URLSearchParams(form);
  changed.set("token", token);
  return changed.toString();
}
