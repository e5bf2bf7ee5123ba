import { settingsPart } from "../../config/feature_config.ts";
import type { AddedClientSettings } from "../../config/settings.ts";
import type { Page } from "../../pages/frame.tsx";
import { redirectUriProblem } from "../../protocol/redirect_uri.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import settings from "./settings.json" with { type: "json" };
import type { SignOutProps } from "./sign_out.tsx";

/** The path of the endpoint for logout requests. */
export interface LogoutPaths {
  /**
   * The endpoint where clients sign users out.
   *
   * @format endpoint-path
   * @default "/oauth2/logout"
   */
  logout?: string;
}

/** Which logout requests users are asked about. */
export interface LogoutSetting {
  /**
   * Whether users confirm a logout request without an ID token. If not, any page can sign them out.
   *
   * @default "ask"
   */
  logoutConfirmation?: "ask" | "skip";
}

/** Where users may be sent after a logout request. */
export interface LogoutClientConfig {
  /** The exact URIs for users who signed out. */
  postLogoutRedirectUris?: string[];
}

/** The page of a logout request. */
export interface LogoutPages {
  /** Asks a user to confirm a sign-out. */
  signOut(props: SignOutProps): Page | Promise<Page>;
}

const { SignOut } = lazyModule(() => import("./sign_out.tsx"));

export const logoutServer = settingsPart<Required<LogoutSetting>>(settings.LogoutSetting);

export const logoutPaths = settingsPart<Required<LogoutPaths>>(settings.LogoutPaths);

export const logoutClients: AddedClientSettings = {
  ...settingsPart(settings.LogoutClientConfig),
  check(config, { httpRedirectUris }, report) {
    for (const [at, uri] of postLogoutRedirectUrisOf(config).entries()) {
      const problem = redirectUriProblem(uri, httpRedirectUris);
      if (problem) report(`postLogoutRedirectUris[${at}]`, problem);
    }
  },
};

/** Returns where users may be sent: nowhere, if a server without this feature stored the client. */
export function postLogoutRedirectUrisOf(client: object): readonly string[] {
  const { postLogoutRedirectUris = [] }: LogoutClientConfig = client;
  return postLogoutRedirectUris;
}

export const logoutPages = settingsPart<LogoutPages>(settings.LogoutPages, { signOut: SignOut });
