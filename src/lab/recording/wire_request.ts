import { createIncomingRequest, type IncomingRequest } from "../../server/http/incoming_request.ts";
import { parameterOf, type WireRequest } from "./exchange.ts";

export type LabResponseType = "code" | "id_token" | "code id_token";

/** Every response type that a lab can allow. None issues an access token at this endpoint. */
const labResponseTypes: readonly LabResponseType[] = ["code", "id_token", "code id_token"];

/** Makes the request that the server gets in place of the one that came. */
export function changeRequest(
  { peer, certificates, method, signal }: IncomingRequest,
  { url, headers }: Pick<WireRequest, "url" | "headers">,
  body?: string,
): IncomingRequest {
  const { "content-length": _, ...others } = headers;
  const init = { method, headers: others, signal: signal(), ...body !== undefined && { body } };
  return createIncomingRequest(new Request(url, init), { peer, certificates });
}

/** Reads the response type of an authorization request; the order of its values is free. */
export function responseTypeOf(request: WireRequest): LabResponseType | undefined {
  if (request.endpoint !== "authorize" && request.endpoint !== "par") return undefined;
  const values = (parameterOf(request, "response_type") ?? "").split(" ").sort().join(" ");
  return labResponseTypes.find((type) => type === values);
}
