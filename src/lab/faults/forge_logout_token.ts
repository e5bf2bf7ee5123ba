import type { Config } from "../../server/features.ts";
import type { OutboundFetch, OutboundRequest } from "../../server/http/outbound_fetch.ts";
import type { InternalServer } from "../../server/server.ts";
import { type DecodedJwt, readJwt } from "../recording/credentials.ts";
import { fires, isWithinScope } from "../recording/flow_scope.ts";
import type { FiredFault } from "../recording/lab_event.ts";
import { findFault } from "./catalogue.ts";
import type { Fault } from "./fault.ts";
import type { Faults } from "./faults.ts";
import { breaksSignature, canForge, forgeJwt, type JwtChange } from "./jwt_forgery.ts";
import type { LabProbe } from "./probe.ts";

/** What changes the logout tokens that a server sends. */
export interface LogoutTokenFaults {
  faults: Pick<Faults, "all">;
  server: InternalServer;
  /** Reports a fault, with the status of the application's response. */
  onFired(fault: FiredFault): void;
  probe: LabProbe | undefined;
}

/** A logout token as the faults changed it, and the names of those that fired. */
interface ForgedLogoutToken {
  token: string;
  /** What the server meant to send. */
  original: DecodedJwt | undefined;
  client: string | undefined;
  fired: string[];
}

/** What sends the outbound requests of a server. */
type OutboundConfig = Pick<Config, "fetch" | "fetchUntrusted">;

/**
 * Returns a configuration whose server sends logout tokens as the faults change them, without
 * knowing it.
 */
export function withForgedLogoutTokens<T extends OutboundConfig>(
  config: T,
  current: () => LogoutTokenFaults,
): T {
  const { fetch: send = (url, init) => fetch(url, init), fetchUntrusted } = config;
  // A value that is not a function is reported with the other problems of the configuration.
  if (typeof send !== "function") return config;
  return {
    ...config,
    fetch: forgingFetch(send, current),
    ...typeof fetchUntrusted === "function" && {
      fetchUntrusted: forgingFetch(fetchUntrusted, current),
    },
  };
}

/** Returns an outbound fetch that sends logout tokens as the faults change them. */
function forgingFetch(
  send: OutboundFetch,
  current: () => LogoutTokenFaults,
): OutboundFetch {
  return async (url, init) => {
    const token = logoutTokenIn(init);
    if (token === undefined) return await send(url, init);
    const { faults, server, onFired, probe } = current();
    const forged = await forgeLogoutToken(faults, server, token);
    const body = new URLSearchParams({ logout_token: forged.token }).toString();
    const request = { method: init.method, path: new URL(url).pathname, client: forged.client };
    let status: number | undefined;
    try {
      const response = await send(url, { ...init, body });
      status = response.status;
      return response;
    } finally {
      for (const fault of forged.fired) onFired({ fault, ...request, status });
      if (forged.original) probe?.observeLogoutToken(forged.original, status);
    }
  };
}

async function forgeLogoutToken(
  faults: Pick<Faults, "all">,
  server: InternalServer,
  token: string,
): Promise<ForgedLogoutToken> {
  const original = readJwt(token);
  const { aud } = original?.claims ?? {};
  const client = typeof aud === "string" ? aud : undefined;
  const none = new URLSearchParams();
  const subject = { request: { client, query: none, form: none }, findFlow: async () => undefined };
  const forged: ForgedLogoutToken = { token, original, client, fired: [] };
  for (const { fault, forgery } of forgeriesIn(faults.all())) {
    const jwt = readJwt(forged.token);
    if (!jwt || !canForge(jwt, forgery) || !await isWithinScope(fault, subject)) continue;
    if (!fires(fault)) continue;
    forged.token = await forgeJwt(server, jwt, forgery);
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
