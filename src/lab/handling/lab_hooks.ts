import type { OutboundFetch } from "../../server/http/outbound_fetch.ts";
import type { AssertionProblem } from "../../server/issuer/server_hooks.ts";
import { once } from "../../server/util/time/promises.ts";
import type { ClientSecretJwt } from "../dialect/request_settings.ts";
import type { CoreLabConfig, LabServerConfig } from "../lab_server/core_lab_config.ts";
import type { LabHooks } from "../lab_server/create_server.ts";
import { labSettings } from "../lab_server/json_settings.ts";
import type { VouchedRequests } from "../lab_server/vouched_requests.ts";
import { createAnswerForUser } from "../sign_in/answer_for_user.ts";
import { type HandsFree, handsFreeNotice } from "../sign_in/hands_free.ts";
import { chosenFactor } from "../sign_in/one_click.ts";
import { labFetch } from "../util/navigation.ts";
import type { OpenedFeature } from "./opened_feature.ts";

/**
 * Returns the configuration of the server in a lab: without what only the lab knows, and with what
 * features do to the requests that it sends.
 */
export function serverConfigOf(
  config: CoreLabConfig,
  opened: readonly OpenedFeature[],
): LabServerConfig {
  const outbound = (send: OutboundFetch): OutboundFetch => (url, init) =>
    opened.reduce((sent, feature) => feature.outbound?.(sent) ?? sent, send)(url, init);
  const all = Object.entries(config).filter(([name]) => !labSettings.includes(name));
  const own = Object.fromEntries(all) as LabServerConfig;
  const { fetch: send = labFetch, fetchUntrusted } = own;
  // A value that is not a function is reported with the other problems of the configuration.
  if (typeof send !== "function") return own;
  return {
    ...own,
    fetch: outbound(send),
    ...typeof fetchUntrusted === "function" && { fetchUntrusted: outbound(fetchUntrusted) },
  };
}

/** Returns what the server asks of its lab, of the dialect, and of features. */
export function createLabHooks(
  start: CoreLabConfig,
  { handsFree, unaskedSessions, vouchedRequests }: {
    /** Asked once the lab is open: it is made after the server, whose users it signs in. */
    handsFree(): HandsFree;
    unaskedSessions: Map<string, string>;
    vouchedRequests: VouchedRequests;
  },
  opened: readonly OpenedFeature[],
): LabHooks {
  const { clientSecretJwt, clientRequests } = start.dialect ?? {};
  const ofFeatures = opened.map((each) => each.serverHooks?.(start) ?? {});
  return {
    unasked: {
      answerForUser: createAnswerForUser(handsFree, unaskedSessions),
      factorOf: chosenFactor,
      sessions: unaskedSessions,
    },
    notice: (configured, path = "") => noticeOf(configured, handsFree(), path),
    vouchForRedirect: vouchedRequests.take,
    assertionProblem: clientSecretJwt && createAssertionCheck(clientSecretJwt),
    ...Object.assign({}, ...ofFeatures),
    admits: Object.assign(
      { publicIntrospection: clientRequests?.publicIntrospection },
      ...ofFeatures.map(({ admits }) => admits),
    ),
  };
}

/** What pages are to which no client leads, at their usual paths. */
const pageNotices: Readonly<Record<string, string>> = {
  "/account":
    "Users of a real server manage their account here. To change the users of this lab, " +
    "open /lab/setup.",
  "/device":
    "Users of a real server enter the code here that a device shows. The page of a client " +
    "has the command that gets one.",
};

/** Returns the line at the top of every page: who signs in without one, and what the page is. */
function noticeOf(configured: string | undefined, handsFree: HandsFree, path: string): string {
  return [configured, handsFreeNotice(handsFree), pageNotices[path]]
    .filter((each) => each !== undefined).join(" ");
}

function createAssertionCheck(form: ClientSecretJwt): AssertionProblem {
  const check = once(async () => {
    const { createSecretCheck } = await import("../dialect/client_secret_jwt.ts");
    return createSecretCheck(form);
  });
  return async (...given) => await (await check())(...given);
}
