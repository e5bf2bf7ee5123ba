import { findClient } from "../../../issuer/clients/clients.ts";
import type { Context } from "../../../issuer/context.ts";
import type { Client } from "../../../model/client.ts";
import { readJwt } from "../../recording/credentials.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { type Refusal, refusalOf } from "../../recording/refusal.ts";
import { type Ledger, readLedger } from "../ledger.ts";

/** Everything that the checks of one exchange depend on. */
export interface CheckFacts {
  exchange: Exchange;
  /** Why the server refused the request, if it did. */
  refusal: Refusal | undefined;
  /** The exchanges of the flow that came before. */
  earlier: readonly Exchange[];
  /** What was issued in the flow. */
  ledger: Ledger;
  /** The parameters of the authorization request of the flow, wherever they came from. */
  authorizationRequest: URLSearchParams;
  /** The client that the request names, if the server knows it. */
  client: Client | undefined;
  issuer: string;
  /** The longest age of a code, in seconds. */
  codeLifetime: number;
  /** Names an exchange for the reader: "request 7", or "step 12" beside a diagram. */
  nameExchange: (id: number) => string;
}

/** Gathers the facts about an exchange of a flow. */
export async function checkFactsOf(
  ctx: Context,
  exchange: Exchange,
  flow: readonly Exchange[],
  nameExchange: CheckFacts["nameExchange"] = (id) => `request ${id}`,
): Promise<CheckFacts> {
  const { issuer, lifetimes } = ctx.settings;
  const { client } = exchange.request;
  return {
    exchange,
    refusal: refusalOf(exchange),
    earlier: flow.filter(({ id }) => id < exchange.id),
    ledger: readLedger(flow, issuer),
    authorizationRequest: authorizationRequestOf(flow),
    client: client === undefined ? undefined : await findClient(ctx, client),
    issuer,
    codeLifetime: lifetimes.code,
    nameExchange,
  };
}

/**
 * Returns the parameters of an authorization request: those that were pushed, else those of the
 * browser; a request object replaces them (RFC 9101, section 6.3).
 */
export function authorizationRequestOf(flow: readonly Exchange[]): URLSearchParams {
  const source = flow.find(({ request }) => request.endpoint === "par") ??
    flow.find(({ request }) => request.endpoint === "authorize");
  if (!source) return new URLSearchParams();
  const { query, form } = source.request;
  const parameters = new URLSearchParams([...query, ...form]);
  for (const [name, value] of requestObjectOf(parameters)) parameters.set(name, value);
  return parameters;
}

function requestObjectOf(parameters: URLSearchParams): Array<[name: string, value: string]> {
  const { claims = {} } = readJwt(parameters.get("request") ?? "") ?? {};
  return Object.entries(claims).filter((entry): entry is [string, string] =>
    typeof entry[1] === "string"
  );
}
