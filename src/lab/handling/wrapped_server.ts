import type { OutboundFetch } from "../../server/http/outbound_fetch.ts";
import type {
  AnswerForUser,
  AssertionProblem,
  ServerHooks,
} from "../../server/issuer/server_hooks.ts";
import { once } from "../../server/util/time/promises.ts";
import type { ClientSecretJwt } from "../dialect/request_settings.ts";
import { labSettings } from "../lab_server/changeable_settings.ts";
import type { LabAnswers } from "../lab_server/lab_answers.ts";
import type { ClientDefaults, LabConfig, LabServerConfig } from "../lab_server/lab_config.ts";
import {
  createReplaceableServer,
  type ReplaceableServer,
  type ReplaceableServerConfig,
} from "../lab_server/replaceable_server.ts";
import type { VouchedRequests } from "../lab_server/vouched_requests.ts";
import { readChosenSignIn } from "../sign_in/one_click.ts";

/** What a lab gives to its server in place of what the configuration says. */
type Replaced = Pick<ReplaceableServerConfig, "store" | "now" | "onEvent" | "randomBytes">;

/** What the server of a lab asks of the lab around it. */
export interface WrappedServerParts {
  replaced: Replaced;
  /** Returns a fetch with what features do to the requests that the server sends. */
  outbound(send: OutboundFetch): OutboundFetch;
  answerForUser: AnswerForUser;
  notice(): string;
  unaskedSessions: Map<string, string>;
  vouchForRedirect: VouchedRequests["take"];
  clientDefaults: ClientDefaults;
  answers(config: LabConfig): LabAnswers;
}

/** Creates the server that a lab wraps. It does not know the lab. */
export function createWrappedServer(
  config: LabConfig,
  parts: WrappedServerParts,
): ReplaceableServer {
  return createReplaceableServer({
    ...wrappedConfig(config, parts.outbound),
    entryDefaults: { client: parts.clientDefaults, subjects: config.dialect?.subjects },
    answers: { ...answersOf(config, parts), ...parts.answers(config) },
    ...parts.replaced,
  });
}

/** Returns the configuration of the server in a lab, where features change what it sends. */
export function wrappedConfig(
  config: LabConfig,
  outbound: WrappedServerParts["outbound"],
): LabServerConfig {
  const own = serverConfigOf(config);
  const { fetch: send = (url, init) => fetch(url, init), fetchUntrusted } = own;
  // A value that is not a function is reported with the other problems of the configuration.
  if (typeof send !== "function") return own;
  return {
    ...own,
    fetch: outbound(send),
    ...typeof fetchUntrusted === "function" && { fetchUntrusted: outbound(fetchUntrusted) },
  };
}

/** Returns what answers where the server by itself would ask a page, or refuse. */
function answersOf({ dialect }: LabConfig, parts: WrappedServerParts): ServerHooks {
  const { answerForUser, notice, unaskedSessions, vouchForRedirect } = parts;
  return {
    ...{ answerForUser, notice, unaskedSessions, vouchForRedirect },
    chosenSignIn: readChosenSignIn,
    assertionProblem: dialect?.clientSecretJwt && createAssertionCheck(dialect.clientSecretJwt),
    confirmsSignOut: dialect?.logout?.confirmation === "skip",
    publicIntrospection: dialect?.clientRequests?.publicIntrospection ?? false,
  };
}

/** Loads the check of client assertions when there is one. */
function createAssertionCheck(form: ClientSecretJwt): AssertionProblem {
  const check = once(async () => {
    const { createSecretCheck } = await import("../dialect/client_secret_jwt.ts");
    return createSecretCheck(form);
  });
  return async (...given) => await (await check())(...given);
}

/** Returns the configuration of the server in a lab: without what only the lab knows. */
function serverConfigOf(config: LabConfig): LabServerConfig {
  const own = Object.entries(config).filter(([name]) => !labSettings.includes(name));
  return Object.fromEntries(own) as LabServerConfig;
}
