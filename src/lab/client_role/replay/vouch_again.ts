import type { Lab } from "../../control/lab.ts";

const oneMinute = 60_000;

/**
 * Lets a request end at the lab once more that `/start` began. The lab vouches for its own redirect
 * URI once for each request, unless the client has registered it.
 */
export async function vouchAgain(lab: Lab, parameters: URLSearchParams): Promise<void> {
  const value = (name: string) => parameters.get(name) ?? undefined;
  const state = value("state");
  const flow = state === undefined ? undefined : await lab.startedFlows.find(state);
  const [clientId, redirectUri] = [value("client_id"), value("redirect_uri")];
  if (!flow || state === undefined) return;
  if (flow.clientId !== clientId || flow.redirectUri !== redirectUri) return;
  const until = lab.clock.now() + oneMinute;
  const codeChallenge = value("code_challenge");
  lab.vouchedRequests.add({ clientId, redirectUri, state, codeChallenge, until });
}
