import { readJwt, textClaims } from "../recording/credentials.ts";
import type { Exchange } from "../recording/exchange.ts";
import type { FlowHistory } from "./credential_end.ts";
import { readFlowCredentials } from "./flow_credentials.ts";

/** Everything that the checks of one exchange depend on. */
export type CheckFacts = ReturnType<typeof checkFactsOf>;

export function checkFactsOf(
  issuer: string,
  exchange: Exchange,
  flow: readonly Exchange[],
  nameExchange: FlowHistory["nameExchange"] = (id) => `request ${id}`,
) {
  const earlier = flow.filter(({ id }) => id < exchange.id);
  return {
    exchange,
    /** The parameters of the flow's authorization request, if that is still recorded. */
    authorizationRequest: authorizationRequestOf(flow),
    issuer: exchange.issuer ?? issuer,
    history: { earlier, credentials: readFlowCredentials(flow, issuer), nameExchange },
  };
}

/**
 * Returns the parameters of an authorization request: those that were pushed, else those of the
 * browser; a request object replaces them (RFC 9101, section 6.3).
 */
export function authorizationRequestOf(flow: readonly Exchange[]): URLSearchParams | undefined {
  const source = flow.find(({ request }) => request.endpoint === "par") ??
    flow.find(({ request }) => request.endpoint === "authorize");
  if (!source) return undefined;
  const { query, form } = source.request;
  const parameters = new URLSearchParams([...query, ...form]);
  const { claims = {} } = readJwt(parameters.get("request") ?? "") ?? {};
  for (const [name, value] of textClaims(claims)) parameters.set(name, value);
  return parameters;
}
