import type { ResponseData } from "../../../server/http/response_data.ts";
import { createBoundedMap } from "../../../server/util/values/bounded_map.ts";
import type { StandIn } from "../../handling/stand_in.ts";
import { restrictPowers } from "../restrict_powers.ts";
import { StrictRefusal, withRefusals } from "../strict_refusal.ts";
import { respondToAuthorize } from "./authorize.ts";
import { respondWithKeys, respondWithMetadata } from "./documents.ts";
import { messageOf, type MockExchange, type MockParts } from "./mock_exchange.ts";
import { thrownResponse } from "./problem.ts";
import { respondToToken } from "./token.ts";
import {
  respondToEndSession,
  respondToIntrospect,
  respondToRevoke,
  respondToUserinfo,
} from "./token_uses.ts";

/** How many codes and tokens are remembered. */
const maxRemembered = 10_000;

/** What the peer accepts unless it is strict. */
const refusedWhenStrict: readonly string[] = [
  "oauth2-mock-server: requests that break a rule",
  "oauth2-mock-server: the password grant",
  "oauth2-mock-server: PKCE with plain",
  "oauth2-mock-server: userinfo and introspection of any token",
];

/** What the peer accepts in any case: a suite cannot say which redirect is right. */
const alwaysAccepted: readonly string[] = [
  "oauth2-mock-server: token requests as JSON",
  "oauth2-mock-server: authorization responses without iss",
  "oauth2-mock-server: any redirect after a sign-out",
];

/** What a service passes to what responds for it. */
export interface MockService
  extends Pick<MockParts, "issuer" | "endpoints" | "buildToken" | "emit"> {
  /** Whether refusals of the server are sent. */
  isStrict(): boolean;
}

/** Creates what responds in place of the server, as oauth2-mock-server does. */
export function createMockResponder({ isStrict, ...service }: MockService): StandIn {
  const parts: MockParts = {
    ...service,
    codes: createBoundedMap(maxRemembered),
    originals: createBoundedMap(maxRemembered),
  };
  return {
    get leniencies() {
      return isStrict() ? alwaysAccepted : [...refusedWhenStrict, ...alwaysAccepted];
    },
    restrict: (powers) => isStrict() ? restrictPowers(powers) : powers,
    async respond({ request, wireRequest, respondStrictly }) {
      const exchange: MockExchange = {
        request,
        wireRequest,
        message: messageOf(request, wireRequest),
        isStrict: isStrict(),
        respondStrictly: isStrict() ? withRefusals(respondStrictly) : respondStrictly,
      };
      try {
        return await respondTo(parts, exchange) ?? await respondStrictly(request);
      } catch (cause) {
        return cause instanceof StrictRefusal ? cause.response : thrownResponse(cause);
      }
    },
  };
}

async function respondTo(
  parts: MockParts,
  exchange: MockExchange,
): Promise<ResponseData | undefined> {
  const { endpoint, path } = exchange.wireRequest;
  switch (endpoint) {
    case "authorize":
      return await respondToAuthorize(parts, exchange);
    case "token":
      return await respondToToken(parts, exchange);
    case "userinfo":
      return await respondToUserinfo(parts, exchange);
    case "introspect":
      return await respondToIntrospect(parts, exchange);
    case "revoke":
      return await respondToRevoke(parts, exchange);
    case "logout":
      return await respondToEndSession(parts, exchange);
    case "jwks":
      return respondWithKeys(parts);
    default:
      return path === metadataPath ? respondWithMetadata(parts, exchange) : undefined;
  }
}

/** Where the lab has its metadata, wherever the test has it. */
export const metadataPath = "/.well-known/openid-configuration";
