import { settingsPart } from "../../config/feature_config.ts";
import type { Page } from "../../pages/page.ts";
import { once } from "../../util/time/promises.ts";
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

/** The page of a logout request. */
export interface LogoutPages {
  /** Asks a user to confirm a sign-out. */
  signOut(props: SignOutProps): Page | Promise<Page>;
}

const loadPage = once(() => import("./sign_out.tsx"));

const ourPages: LogoutPages = {
  signOut: async (props) => (await loadPage()).SignOut(props),
};

export const logoutPaths = settingsPart<Required<LogoutPaths>>(settings.LogoutPaths);

export const logoutPages = settingsPart<LogoutPages>(settings.LogoutPages, ourPages);
