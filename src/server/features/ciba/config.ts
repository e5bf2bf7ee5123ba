import { checkAlg } from "../../config/check_client_authentication.ts";
import { type AddedServerSettings, settingsPart } from "../../config/feature_config.ts";
import { authenticationOf, grantTypesOf, hasKeys } from "../../config/make_client.ts";
import type { Profile } from "../../config/profiles/profile.ts";
import type { AddedClientSettings } from "../../config/settings.ts";
import { clientAlgorithms } from "../../model/signing.ts";
import type { User } from "../../model/user.ts";
import type { Page } from "../../pages/frame.tsx";
import type { TextLoaders } from "../../pages/languages/languages.ts";
import { cibaGrantType } from "../../protocol/grant_types.ts";
import { webUriProblem } from "../../protocol/redirect_uri.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import type { Duration } from "../../util/time/duration.ts";
import type { BackchannelDoneProps } from "./ciba.tsx";
import type { CibaWords } from "./languages/en.ts";
import settings from "./settings.json" with { type: "json" };

/** The path of the backchannel authentication endpoint. */
export interface CibaPaths {
  /**
   * The backchannel authentication endpoint.
   *
   * @format endpoint-path
   * @default "/oauth2/backchannel_authentication"
   */
  backchannelAuthentication?: string;
}

/** How long a backchannel authentication request lasts. */
export interface CibaLifetimes {
  /**
   * The time that a user has to decide. A client may ask for less (`requested_expiry`).
   *
   * @minimum 30s
   * @maximum 1h
   * @default "5m"
   */
  backchannelRequest?: Duration;
}

/** The settings of the server about backchannel authentication. */
export interface CibaSetting {
  /**
   * How many requests one user may get per minute, a third of them from one client, whose newest
   * request replaces its earlier one.
   *
   * @minimum 1
   * @default 10
   */
  backchannelRequestsPerMinute?: number;
  /**
   * The codes that clients with `backchannelUserCode` must send: by the names of users, or a
   * function that checks one.
   */
  userCodes?: Record<string, string> | UserCodeCheck;
}

/** Whether a code is the one that a user gives to clients. */
export type UserCodeCheck = (user: User, code: string) => boolean | Promise<boolean>;

/** How a client asks users over the back channel. */
export interface CibaClientConfig {
  /**
   * How it learns that a user has decided (`backchannel_token_delivery_mode`): it polls at once, or
   * after a ping.
   *
   * @default poll
   */
  backchannelDeliveryMode?: "poll" | "ping";
  /**
   * Receives pings (`backchannel_client_notification_endpoint`).
   *
   * @format url
   */
  backchannelNotificationEndpoint?: string;
  /**
   * Signs its requests (`backchannel_authentication_request_signing_alg`).
   *
   * @default any algorithm; a signature is optional
   */
  backchannelRequestAlg?: string;
  /** Whether each request must have the code of its user (`backchannel_user_code_parameter`). */
  backchannelUserCode?: boolean;
}

/** The page after a decision. */
export interface CibaPages {
  /** Confirms what a user decided about a backchannel authentication request. */
  backchannelDone(props: BackchannelDoneProps): Page | Promise<Page>;
}

const { BackchannelDone } = lazyModule(() => import("./ciba.tsx"));

export const cibaPaths = settingsPart<Required<CibaPaths>>(settings.CibaPaths);

/** In seconds. */
export const cibaLifetimes = settingsPart<Record<keyof CibaLifetimes, number>>(
  settings.CibaLifetimes,
);

const serverPart = settingsPart<CibaSetting & { backchannelRequestsPerMinute: number }>(
  settings.CibaSetting,
);

export const cibaServer = {
  ...serverPart,
  check({ userCodes }, { clients }, report) {
    if (userCodes !== undefined) return;
    for (const [at, client] of clients.list().entries()) {
      if (!cibaClientOf(client).backchannelUserCode) continue;
      report(
        `clients[${at}].backchannelUserCode`,
        "needs userCodes, which this server does not have",
      );
    }
  },
} satisfies AddedServerSettings<CibaSetting>;

export const cibaPages = settingsPart<CibaPages>(settings.CibaPages, {
  backchannelDone: BackchannelDone,
});

export const cibaClients: AddedClientSettings = {
  ...settingsPart(settings.CibaClientConfig),
  fetched: ["backchannelNotificationEndpoint"],
  check(config, { httpRedirectUris, settings: { profile } }, report) {
    const { backchannelDeliveryMode: mode, ...client } = cibaClientOf(config);
    const { backchannelNotificationEndpoint: endpoint, backchannelRequestAlg: alg } = client;
    const isPublic = authenticationOf(config).includes("none");
    if (isPublic && grantTypesOf(config).includes(cibaGrantType)) {
      report("secret", "is missing, but the client may use the CIBA grant");
    }
    if (mode === "ping" && endpoint === undefined) {
      report("backchannelNotificationEndpoint", "is missing, but the client waits for pings");
    }
    const problem = endpoint && webUriProblem(endpoint, httpRedirectUris);
    if (problem) report("backchannelNotificationEndpoint", problem);
    checkAlg("backchannelRequestAlg", alg, clientAlgorithms(profile.algs), report);
    if (alg !== undefined && !hasKeys(config)) {
      report("jwks", "is missing, but the client signs its requests; set jwks or jwksUri");
    }
  },
};

/** Returns the settings of a client. One that a server without this feature stored has none. */
export function cibaClientOf(client: object): CibaClientConfig {
  return client;
}

/** Whether a profile demands what FAPI-CIBA demands. */
export function isHighValue({ name }: Profile): boolean {
  return name === "fapi-2.0";
}

/** Loads the texts of the pages. */
export const cibaTexts: TextLoaders<CibaWords> = {
  en: async () => (await import("./languages/en.ts")).en,
  de: async () => (await import("./languages/de.ts")).de,
  es: async () => (await import("./languages/es.ts")).es,
  ar: async () => (await import("./languages/ar.ts")).ar,
};
