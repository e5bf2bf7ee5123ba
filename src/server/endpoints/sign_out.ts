import { readForm } from "../http/incoming_request.ts";
import { redirectResponse } from "../http/response.ts";
import type { ResponseData } from "../http/response_data.ts";
import { featuresOf, type SignedInUser } from "../issuer/active_features.ts";
import type { Context, RequestContext } from "../issuer/context.ts";
import { checkFormToken, findBrowser, signOutPurpose } from "../issuer/sessions/browsers.ts";
import { endSession } from "../issuer/sessions/sessions.ts";
import type { SignedOutProps } from "../pages/signed_out.tsx";
import { frameProps, pageResponse } from "./responses/page_response.ts";

/** Ends the session, and with it every token that was not meant to outlive it. */
export async function signOut(ctx: RequestContext): Promise<ResponseData> {
  await checkFormToken(ctx, await findBrowser(ctx), signOutPurpose, await readForm(ctx));
  const home: NextPage = { url: `${ctx.settings.base}/`, by: "redirect" };
  return await signedOutResponse(ctx, home);
}

/** Where a user goes after signing out. */
export interface NextPage {
  url: string;
  /** The name of the application; undefined for our home page. */
  name?: string;
  /** By a link on our page, or without a click. */
  by: "link" | "redirect";
}

/** What the page shows about the client and its request. */
export type SignedOutRemarks = Pick<SignedOutProps, "untrustedClient" | "hint">;

/** Ends the session. A page that loads URLs of its clients in frames comes before `next`. */
export async function signedOutResponse(
  ctx: RequestContext,
  next?: NextPage,
  remarks: SignedOutRemarks = {},
  signedIn?: SignedInUser,
): Promise<ResponseData> {
  const { session, headers } = await endSession(ctx, signedIn);
  const frames = session ? await framesFor(ctx, session.sid) : [];
  const redirects = next?.by === "redirect";
  if (redirects && frames.length === 0) return redirectResponse(next.url, headers);
  const props = { ...await frameProps(ctx), ...remarks, logoutUrls: frames, next, redirects };
  return await pageResponse(ctx.settings.pages.signedOut(props), 200, headers, { frames });
}

async function framesFor(ctx: Context, sid: string): Promise<string[]> {
  const all = featuresOf(ctx).sessionEnds.map(async ({ frames }) => await frames?.(ctx, sid) ?? []);
  return (await Promise.all(all)).flat();
}
