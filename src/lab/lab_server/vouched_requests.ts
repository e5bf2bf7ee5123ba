import type { UnregisteredRedirect } from "../../server/protocol/response_target.ts";
import { createBoundedMap, megabyte } from "../../server/util/values/bounded_map.ts";

/** Anyone who can open `/start` adds one. */
const maxBytes = 1 * megabyte;

/** A request whose redirect URI the lab vouches for, until an instant in milliseconds. */
export interface VouchedRequest extends UnregisteredRedirect {
  state: string;
  until: number;
  /** Whether a terminal shows it as a link, which users open again, also after a reset. */
  isLink?: boolean;
}

/**
 * The requests that the lab began itself, in the role of clients whose redirect URIs lead
 * elsewhere. They are kept in memory alone, so no snapshot brings a used one back.
 */
export type VouchedRequests = ReturnType<typeof createVouchedRequests>;

export function createVouchedRequests(now: () => number) {
  let byState = createBoundedMap<VouchedRequest>(maxBytes);
  const links = new Map<string, VouchedRequest>();

  return {
    add(request: VouchedRequest): void {
      if (request.isLink) return void links.set(request.state, request);
      byState.set(request.state, request);
    },
    /** Whether the lab began exactly this request. Only a link is taken more than once. */
    take(request: UnregisteredRedirect): boolean {
      const state = request.state ?? "";
      const begun = links.get(state) ?? byState.get(state);
      if (!isVouchedFor(begun, request, now())) return false;
      if (links.has(state)) return true;
      byState.delete(state);
      return true;
    },
    clear: () => void (byState = createBoundedMap(maxBytes)),
  };
}

/** The lab made the challenge, so only the lab can redeem the code. */
function isVouchedFor(
  begun: VouchedRequest | undefined,
  request: UnregisteredRedirect,
  time: number,
): boolean {
  return begun !== undefined && begun.until > time && begun.clientId === request.clientId &&
    begun.redirectUri === request.redirectUri &&
    begun.codeChallenge === request.codeChallenge;
}
