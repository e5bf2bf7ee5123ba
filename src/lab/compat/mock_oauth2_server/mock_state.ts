import type { IncomingRequest } from "../../../server/http/incoming_request.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import type { Context } from "../../../server/issuer/context.ts";
import type { SigningAlgorithm } from "../../../server/model/signing.ts";
import { type BoundedMap, createBoundedMap } from "../../../server/util/values/bounded_map.ts";
import type { StandInExchange } from "../../handling/stand_in.ts";
import { LabError } from "../../util/lab_error.ts";
import type { MockOAuth2Config } from "./json_config.ts";
import { createMockIssuers, type MockIssuers } from "./mock_issuers.ts";
import {
  type CallbackSource,
  type EnqueuedCallback,
  fixedCallback,
  mappingCallback,
} from "./token_callback.ts";

/** Who signed in, and what the authorization request wants of its tokens. */
export interface PendingLogin {
  subject: string | undefined;
  /** More claims, from the sign-in page. */
  claims: Record<string, unknown>;
  nonce: string | undefined;
  challenge: string | undefined;
  method: string;
}

/** What a refresh token stands for. */
export interface RefreshableLogin extends Pick<PendingLogin, "subject" | "claims"> {
  issuerId: string;
  source: CallbackSource;
}

/** What all issuers share. */
export interface MockState {
  readonly config: MockOAuth2Config;
  readonly alg: SigningAlgorithm;
  readonly issuers: MockIssuers;
  /** The HTML of another sign-in page. */
  readonly loginPage: string | undefined;
  readonly codes: BoundedMap<PendingLogin>;
  readonly refreshTokens: BoundedMap<RefreshableLogin>;
  /** The access and refresh tokens of the server, by those that clients got in place of them. */
  readonly originals: BoundedMap<string>;
  /** Adds what the next tokens of an issuer get. */
  enqueue(callback: EnqueuedCallback): void;
  /** Takes the next enqueued callback if it is for this issuer. */
  takeEnqueued(issuerId: string): CallbackSource | undefined;
  /** Returns what the tokens of an issuer get: enqueued, configured, or by default. */
  sourceFor(issuerId: string): CallbackSource;
}

/** A request for an issuer. */
export interface MockIssuerExchange {
  state: MockState;
  context: Context;
  request: IncomingRequest;
  wireRequest: StandInExchange["wireRequest"];
  /** The name of the issuer in the path. */
  issuerId: string;
  /** The URL of the issuer, at the address of the request. */
  issuer: string;
  /** Lets the server respond. Throws if refusals are wanted. */
  respondStrictly(request: IncomingRequest): Promise<ResponseData>;
}

/** How many codes, tokens and queued callbacks are remembered. */
const maxRemembered = 10_000;

/** Creates what all issuers share. */
export function createMockState(
  config: MockOAuth2Config,
  loginPage: string | undefined,
): MockState {
  const queue: Array<{ issuerId: string; source: CallbackSource }> = [];
  const { tokenCallbacks = [], tokenProvider } = config;
  const takeEnqueued = (issuerId: string) =>
    queue[0]?.issuerId === issuerId ? queue.shift()?.source : undefined;
  return {
    config,
    alg: (tokenProvider?.keyProvider?.algorithm ?? "RS256") as SigningAlgorithm,
    issuers: createMockIssuers(),
    loginPage,
    codes: createBoundedMap(maxRemembered),
    refreshTokens: createBoundedMap(maxRemembered),
    originals: createBoundedMap(maxRemembered),
    enqueue(callback) {
      if (queue.length >= maxRemembered) throw new LabError("Too many callbacks are enqueued.");
      queue.push({ issuerId: callback.issuerId ?? "default", source: fixedCallback(callback) });
    },
    takeEnqueued,
    sourceFor(issuerId) {
      const configured = tokenCallbacks.find((each) => each.issuerId === issuerId);
      return takeEnqueued(issuerId) ??
        (configured ? mappingCallback(configured) : fixedCallback({ issuerId }));
    },
  };
}
