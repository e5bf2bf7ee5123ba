import type { UnregisteredRedirect } from "../../server/protocol/response_target.ts";
import { createBoundedMap } from "../../server/util/values/bounded_map.ts";
import { megabyte } from "../../server/util/values/held_bytes.ts";

/** Anyone who can open `/start` adds one. */
const maxBytes = 1 * megabyte;

/** A request whose redirect URI the lab vouches for, until an instant in milliseconds. */
interface VouchedRequest extends UnregisteredRedirect {
  state: string;
  until: number;
  /** Whether a terminal shows it as a link, which users open again, also after a reset. */
  isLink?: boolean;
}

/**
 * The requests that the lab began itself, in the role of clients whose redirect URIs lead
 * elsewhere. They are kept in memory alone, so no snapshot brings a used one back.
 */
export interface VouchedRequests {
  /** Returns a function that takes the vouch back, if the request was not taken. */
  add(request: VouchedRequest): () => void;
  /** Whether the lab began exactly this request. It returns true once for each that is no link. */
  take(request: UnregisteredRedirect): boolean;
  clear(): void;
}

export function createVouchedRequests(now: () => number): VouchedRequests {
  let byState = createBoundedMap<VouchedRequest>(maxBytes);
  const links = new Map<string, VouchedRequest>();
  return {
    add(request) {
      if (request.isLink) {
        links.set(request.state, request);
        return () => void links.delete(request.state);
      }
      byState.set(request.state, request);
      return () => {
        if (byState.get(request.state) === request) byState.delete(request.state);
      };
    },
    take(request) {
      const state = request.state ?? "";
      const begun = links.get(state) ?? byState.get(state);
      if (!begun || begun.until <= now() || !isSame(begun, request)) return false;
      if (!begun.isLink) byState.delete(begun.state);
      return true;
    },
    clear: () => void (byState = createBoundedMap(maxBytes)),
  };
}

/** The lab made the challenge, so only the lab can redeem the code. */
function isSame(begun: VouchedRequest, request: UnregisteredRedirect): boolean {
  return begun.clientId === request.clientId && begun.redirectUri === request.redirectUri &&
    begun.codeChallenge === request.codeChallenge;
}
