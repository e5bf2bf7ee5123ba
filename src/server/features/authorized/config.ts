import { settingsPart } from "../../config/feature_config.ts";
import type { Page } from "../../pages/page.ts";
import { once } from "../../util/time/promises.ts";
import type { AuthorizedProps } from "./authorized.tsx";
import settings from "./settings.json" with { type: "json" };

/** The page at `/authorized`. */
export interface AuthorizedPages {
  /** Shows an authorization response to the developer of a client. */
  authorized(props: AuthorizedProps): Page | Promise<Page>;
}

const loadPages = once(() => import("./pages.ts"));

const ourPages: AuthorizedPages = {
  authorized: async (props) => (await loadPages()).Authorized(props),
};

export const authorizedPages = settingsPart<AuthorizedPages>(settings.AuthorizedPages, ourPages);
