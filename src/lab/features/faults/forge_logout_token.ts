import type { OutboundFetch, OutboundRequest } from "../../../server/http/outbound_fetch.ts";
import type { LabParts } from "../../handling/lab_parts.ts";
import { readJwt } from "../../recording/credentials.ts";
import { fires, isWithinScope } from "../../recording/flow_scope.ts";
import { openSealed, sealLike } from "../../tokens/sealed.ts";
import { findFault } from "./catalogue.ts";
import type { Fault } from "./fault.ts";
import type { Faults } from "./faults.ts";
import { breaksSignature, canForge, forgeJwt, type JwtChange } from "./jwt_forgery.ts";

/** Returns an outbound fetch that sends logout tokens as the faults change them. */
export function forgeLogoutTokens(
  send: OutboundFetch,
  faults: Faults,
  parts: () => LabParts,
): OutboundFetch {
  return async (url, init) => {
    let token = logoutTokenIn(init);
    if (token === undefined) return await send(url, init);
    const { server: served, events } = parts();
    const server = served.current();
    const { aud } = readJwt(openSealed(server, token))?.claims ?? {};
    const client = typeof aud === "string" ? aud : undefined;
    const none = new URLSearchParams();
    const subject = {
      request: { client, query: none, form: none },
      findFlow: async () => undefined,
    };
    const fired: string[] = [];
    for (const { fault, forgery } of forgeriesIn(faults.list())) {
      const jwt = readJwt(openSealed(server, token));
      if (!jwt || !canForge(jwt, forgery) || !await isWithinScope(fault, subject)) continue;
      if (!fires(fault)) continue;
      token = await sealLike(server, token, await forgeJwt(server, jwt, forgery));
      fired.push(fault.name);
    }
    const body = new URLSearchParams({ logout_token: token }).toString();
    const request = { method: init.method, path: new URL(url).pathname, client };
    let status: number | undefined;
    try {
      const response = await send(url, { ...init, body });
      status = response.status;
      return response;
    } finally {
      for (const fault of fired) {
        events.emitLabEvent({ type: "fault.fired", fault, ...request, status });
      }
    }
  };
}

interface FaultyLogoutToken {
  fault: Fault;
  forgery: JwtChange;
}

/** Returns the faults in logout tokens, those last that break a signature. */
function forgeriesIn(faults: readonly Fault[]): FaultyLogoutToken[] {
  const all = faults.flatMap((fault) => {
    const kind = findFault(fault.name);
    return "forgery" in kind ? [{ fault, forgery: kind.forgery }] : [];
  });
  const isLast = ({ forgery }: FaultyLogoutToken) => breaksSignature(forgery);
  return [...all.filter((each) => !isLast(each)), ...all.filter(isLast)];
}

function logoutTokenIn({ method, body }: OutboundRequest): string | undefined {
  if (method !== "POST" || body === undefined) return undefined;
  return new URLSearchParams(body).get("logout_token") ?? undefined;
}
