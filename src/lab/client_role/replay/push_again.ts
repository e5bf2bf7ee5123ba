import type { CoreLab } from "../../core/core_lab.ts";
import { type Exchange, jsonOf } from "../../recording/exchange.ts";
import { describeRefusal, refusalOf } from "../../recording/refusal.ts";
import { LabError } from "../../util/lab_error.ts";

/** Finds the exchange that pushed the request of a `request_uri` (RFC 9126, section 2.2). */
export function pushOf(lab: CoreLab, requestUri: string): Exchange | undefined {
  return lab.exchanges().find((exchange) => requestUriIn(exchange) === requestUri);
}

/** Sends the request of an exchange again, with fresh credentials. */
export type SendAgain = (exchange: Exchange) => Promise<Exchange>;

/** Pushes the request of a `request_uri` again, and returns the new one. */
export async function pushAgain(
  lab: CoreLab,
  requestUri: string,
  sendAgain: SendAgain,
): Promise<string> {
  const push = pushOf(lab, requestUri);
  if (!push) throw new LabError("The lab did not record the push of this request_uri.");
  const replay = await sendAgain(push);
  const fresh = requestUriIn(replay);
  if (fresh !== undefined) return fresh;
  const refusal = refusalOf(replay);
  const why = refusal ? describeRefusal(refusal) : `status ${replay.response?.status}`;
  throw new LabError(`The request could not be pushed again: ${why}`);
}

function requestUriIn({ request, response }: Exchange): string | undefined {
  const value = request.endpoint === "par" && response && jsonOf(response)?.request_uri;
  return typeof value === "string" ? value : undefined;
}
