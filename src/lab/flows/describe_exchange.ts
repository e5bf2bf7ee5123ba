import type { Exchange } from "../recording/exchange.ts";
import { refusalOf } from "../recording/refusal.ts";
import { callbackIn } from "../recording/wire_callback.ts";
import { requestTitle, responseTitle } from "./arrow_titles.ts";
import { isFailedResponse } from "./exchange_arrows.ts";

/** An exchange in a few words, for a line of a terminal. */
export interface DescribedExchange {
  /** What was asked: "POST /oauth2/token". */
  request: string;
  /** What matters in it: "authorization_code". */
  about: string | undefined;
  /** What came back: "400 invalid_grant". */
  response: string;
  /** What it brings: "access token, ID token". */
  result: string | undefined;
  isFailed: boolean;
  /** Why it was refused, in one sentence. */
  reason: string | undefined;
  hint: string | undefined;
  see: string | undefined;
}

/** Describes an exchange in a few words, without secrets. */
export function describeExchange(exchange: Exchange, issuer: string): DescribedExchange {
  const callback = exchange.response && callbackIn(exchange.response, issuer);
  const { title: request, note: about } = requestTitle(exchange);
  const { title: response, note: result } = responseTitle(exchange, callback);
  const { description: reason, hint, see } = refusalOf(exchange) ?? {};
  const isFailed = isFailedResponse(exchange);
  return { request, about, response, result, isFailed, reason, hint, see };
}
