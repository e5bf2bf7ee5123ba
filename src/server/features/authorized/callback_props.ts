import { framePropsIn } from "../../endpoints/responses/page_response.ts";
import { browserEndpointUrl, type RequestContext } from "../../issuer/context.ts";
import { english } from "../../pages/languages/languages.ts";
import type { Callback } from "../../protocol/callback.ts";
import type { AuthorizedProps } from "./authorized.tsx";

/** Returns what the page shows about a callback of an unknown flow. */
export async function authorizedProps(
  ctx: RequestContext,
  callback: Callback,
): Promise<AuthorizedProps> {
  const { origin } = new URL(ctx.settings.frontChannelUrl);
  const shared = {
    ...await framePropsIn(await english.load(), ctx),
    state: callback.state,
    tokenEndpoint: browserEndpointUrl(ctx, "token_endpoint"),
    // The browser came here with the redirect URI of the request.
    redirectUri: `${origin}${new URL(ctx.request.url).pathname}`,
  };
  if (callback.hasError) {
    return {
      ...shared,
      hasError: true,
      error: callback.error,
      errorDescription: callback.errorDescription,
      isAbsent: callback.isAbsent,
      code: "",
    };
  }
  return { ...shared, hasError: false, error: "", code: callback.code };
}
