import type { OutboundFetch, OutboundRequest } from "../../../server/http/outbound_fetch.ts";
import type { InternalServer } from "../../../server/server.ts";
import type { LabParts } from "../../handling/lab_parts.ts";
import { readJwt } from "../../recording/credentials.ts";
import { fires, isWithinScope } from "../../recording/flow_scope.ts";
import { openSealed, sealLike } from "../../tokens/sealed.ts";
import { findFault } from "./catalogue.ts";
import type { Fault } from "./fault.ts";
import type { Faults } from "./faults.ts";
import { breaksSignature, canForge, forgeJwt, type JwtChange } from "./jwt_forgery.ts";

/** A logout token as the faults changed it, and the names of those that fired. */
interface ForgedLogoutToken {
  token: string;
  client: string | undefined;
  fired: string[];
}

/** Returns an outbound fetch that sends logout tokens as the faults change them. */
export function forgeLogoutTokens(
  send: OutboundFetch,
  faults: Faults,
  parts: () => LabParts,
): OutboundFetch {
  return async (url, init) => {
    const token = logoutTokenIn(init);
    if (token === undefined) return await send(url, init);
    const { server, events } = parts();
    const forged = await forgeLogoutToken(faults, server.current(), token);
    const body = new URLSearchParams({ logout_token: forged.token }).toString();
    const request = { method: init.method, path: new URL(url).pathname, client: forged.client };
    let status: number | undefined;
    try {
      const response = await send(url, { ...init, body });
      status = response.status;
      return response;
    } finally {
      for (const fault of forged.fired) {
        events.emitLabEvent({ type: "fault.fired", fault, ...request, status });
      }
    }
  };
}

async function forgeLogoutToken(
  faults: Faults,
  server: InternalServer,
  token: string,
): Promise<ForgedLogoutToken> {
  const { aud } = readJwt(openSealed(server, token))?.claims ?? {};
  const client = typeof aud === "string" ? aud : undefined;
  const none = new URLSearchParams();
  const subject = { request: { client, query: none, form: none }, findFlow: async () => undefined };
  const forged: ForgedLogoutToken = { token, client, fired: [] };
  for (const { fault, forgery } of forgeriesIn(faults.list())) {
    const jwt = readJwt(openSealed(server, forged.token));
    if (!jwt || !canForge(jwt, forgery) || !await isWithinScope(fault, subject)) continue;
    if (!fires(fault)) continue;
    forged.token = await sealLike(server, forged.token, await forgeJwt(server, jwt, forgery));
    forged.fired.push(fault.name);
  }
  return forged;
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
