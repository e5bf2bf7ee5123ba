import { settingsPart } from "../../config/feature_config.ts";
import type { Settings } from "../../config/settings.ts";
import type { Page } from "../../pages/frame.tsx";
import { issuerUrl } from "../../protocol/issuer_url.ts";
import { redirectUriMatches } from "../../protocol/redirect_uri.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import type { AuthorizedProps } from "./authorized.tsx";
import settings from "./settings.json" with { type: "json" };

/** The path of the page that shows an authorization response, to try things by hand. */
export const callbackPath = "/authorized";

/** Where "Start New Authorization" leads. */
export const startPath = `${callbackPath}/start`;

/** The page at `/authorized`. */
export interface AuthorizedPages {
  /** Shows an authorization response to the developer of a client. */
  authorized(props: AuthorizedProps): Page | Promise<Page>;
}

const { Authorized } = lazyModule(() => import("./authorized.tsx"));

const ourPages: AuthorizedPages = { authorized: Authorized };

export const authorizedPages = settingsPart<AuthorizedPages>(settings.AuthorizedPages, ourPages);

/**
 * Returns the ids of the configured clients whose redirect URI is the page. Without any, it would
 * only be a page of the operator on which the author of a link can place text.
 */
export function callbackClients(settings: Settings): string[] {
  const { issuer, frontChannelUrl } = settings;
  const pages = [issuer, frontChannelUrl].map((address) => issuerUrl(address, callbackPath));
  return settings.clients.list().filter(({ redirectUris = [], native = false }) =>
    redirectUris.some((uri) => pages.some((page) => redirectUriMatches(uri, page, native)))
  ).map(({ id }) => id);
}
