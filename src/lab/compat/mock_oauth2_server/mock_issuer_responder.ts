import type { HeaderList, ResponseData } from "../../../server/http/response_data.ts";
import type { StandIn, StandInExchange } from "../../handling/stand_in.ts";
import { restrictPowers } from "../restrict_powers.ts";
import { StrictRefusal, withRefusals } from "../strict_refusal.ts";
import { respondToAuthorize } from "./authorize.ts";
import { respondToDebugger, respondWithKeys, respondWithMetadata } from "./documents.ts";
import { MockRefusal, refusalResponse } from "./mock_error.ts";
import { isReserved } from "./mock_issuers.ts";
import type { MockIssuerExchange, MockState } from "./mock_state.ts";
import { respondToToken } from "./token.ts";
import {
  respondToEndSession,
  respondToIntrospect,
  respondToRevoke,
  respondToUserinfo,
} from "./token_uses.ts";

/** What the peer accepts unless it is strict. */
const refusedWhenStrict: readonly string[] = [
  "mock-oauth2-server: requests that break a rule",
  "mock-oauth2-server: the password grant",
  "mock-oauth2-server: PKCE with plain",
  "mock-oauth2-server: assertions and exchanged tokens without a check",
];

/** What the peer accepts in any case: its form, and what a suite cannot configure. */
const alwaysAccepted: readonly string[] = [
  "mock-oauth2-server: codes of any issuer of the lab",
  "mock-oauth2-server: authorization responses without iss",
  "mock-oauth2-server: refresh tokens that work again",
  "mock-oauth2-server: any redirect after a sign-out",
  "mock-oauth2-server: CORS with credentials for every origin",
];

type Responder = (exchange: MockIssuerExchange) => ResponseData | Promise<ResponseData>;

/** What an issuer has, by the path below it. */
const responders: ReadonlyMap<string, Responder> = new Map<string, Responder>([
  ["authorize", respondToAuthorize],
  ["token", respondToToken],
  ["jwks", respondWithKeys],
  ["userinfo", respondToUserinfo],
  ["introspect", respondToIntrospect],
  ["revoke", respondToRevoke],
  ["endsession", respondToEndSession],
  ["debugger", respondToDebugger],
  [".well-known/openid-configuration", respondWithMetadata],
  [".well-known/oauth-authorization-server", respondWithMetadata],
]);

/** Creates what responds for all issuers, as mock-oauth2-server does. */
export function createMockIssuerResponder(state: MockState, isStrict: () => boolean): StandIn {
  return {
    get leniencies() {
      return isStrict() ? alwaysAccepted : [...refusedWhenStrict, ...alwaysAccepted];
    },
    restrict: (powers) => isStrict() ? restrictPowers(powers) : powers,
    async respond(exchange) {
      const { wireRequest } = exchange;
      const place = placeOf(wireRequest.url);
      if (!place) return undefined;
      const cors = corsHeaders(wireRequest.headers);
      if (wireRequest.method === "OPTIONS") return { status: 204, headers: cors, body: null };
      const response = await responseFor(state, exchange, place, isStrict());
      return { ...response, headers: [...withoutCors(response.headers), ...cors] };
    },
  };
}

/** The issuer that a path names, and what it has there. */
interface IssuerPlace {
  issuerId: string;
  responder: Responder;
}

function placeOf(url: string): IssuerPlace | undefined {
  const [, issuerId = "", ...rest] = new URL(url).pathname.split("/");
  const responder = responders.get(rest.join("/"));
  return responder && !isReserved(issuerId) ? { issuerId, responder } : undefined;
}

async function responseFor(
  state: MockState,
  { request, wireRequest, context, respondStrictly }: StandInExchange,
  { issuerId, responder }: IssuerPlace,
  isStrict: boolean,
): Promise<ResponseData> {
  try {
    state.issuers.touch(issuerId);
    return await responder({
      state,
      context,
      request,
      wireRequest,
      issuerId,
      issuer: `${new URL(wireRequest.url).origin}/${issuerId}`,
      respondStrictly: isStrict ? withRefusals(respondStrictly) : respondStrictly,
    });
  } catch (cause) {
    if (cause instanceof MockRefusal) return refusalResponse(cause);
    if (cause instanceof StrictRefusal) return cause.response;
    throw cause;
  }
}

function corsHeaders({ origin, ...headers }: Record<string, string>): HeaderList {
  if (origin === undefined) return [];
  return [
    ["Access-Control-Allow-Origin", origin],
    ["Access-Control-Allow-Credentials", "true"],
    ["Access-Control-Allow-Methods", "POST, GET, OPTIONS"],
    ["Access-Control-Allow-Headers", headers["access-control-request-headers"] ?? "*"],
    ["Vary", "Origin"],
  ];
}

function withoutCors(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => !name.toLowerCase().startsWith("access-control-"));
}
