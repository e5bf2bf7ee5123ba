import { minute } from "../../../server/util/time/duration.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { ownRedirectUri, type StartedFlow } from "../../lab_server/started_flow.ts";

/** How long the lab vouches for a request, in milliseconds. */
const vouchedTime = 1 * minute * 1000;

/**
 * Lets a request end at the lab once more that `/start` began. The lab vouches for its own redirect
 * URI once for each request, unless the client has registered it. Returns a function that takes the
 * vouch back: a request that is refused for another reason does not use it.
 */
export async function vouchAgain(lab: CoreLab, parameters: URLSearchParams): Promise<() => void> {
  const flow = await flowOf(lab, parameters);
  if (!flow) return () => {};
  const { clientId, redirectUri } = flow;
  const until = lab.clock.now() + vouchedTime;
  const codeChallenge = parameters.get("code_challenge") ?? undefined;
  const state = parameters.get("state") ?? "";
  return lab.vouchedRequests.add({ clientId, redirectUri, state, codeChallenge, until });
}

/** Whether the lab began a request, and its client has not registered where it ends. */
export async function isVouchedFor(lab: CoreLab, parameters: URLSearchParams): Promise<boolean> {
  const flow = await flowOf(lab, parameters);
  const client = flow && lab.clients.list().find(({ id }) => id === flow.clientId);
  return client !== undefined &&
    ownRedirectUri(lab.context.settings.frontChannelUrl, client) === undefined;
}

/** Finds the flow that the lab began with a request, by everything that must be as it was. */
async function flowOf(lab: CoreLab, parameters: URLSearchParams): Promise<StartedFlow | undefined> {
  const flow = await lab.startedFlows.find(parameters.get("state") ?? "");
  const isSame = flow?.clientId === parameters.get("client_id") &&
    flow.redirectUri === parameters.get("redirect_uri");
  return isSame ? flow : undefined;
}
