import { framePropsWith, pageResponse } from "../../endpoints/responses/page_response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import type { RequestContext } from "../../issuer/context.ts";
import type { Client } from "../../model/client.ts";
import type { ConsentCaution } from "../../pages/consent.tsx";
import { type Language, withTexts } from "../../pages/languages/languages.ts";
import { cibaTexts } from "./config.ts";
import { type BackchannelRequest, cibaParts } from "./parts.ts";

/** Warns of requests that the user did not begin, and shows what the user can compare. */
export async function backchannelCaution(
  language: Language,
  { backchannel: { bindingMessage } }: BackchannelRequest,
): Promise<ConsentCaution> {
  const { words: { backchannelConsent: words } } = await withTexts(language, cibaTexts);
  return bindingMessage === undefined
    ? { id: "backchannel-warning", text: words.caution }
    : { id: "backchannel-warning", text: words.compare, quoted: bindingMessage };
}

/** Confirms what the user decided. The client learns of it by itself. */
export async function backchannelDoneResponse(
  ctx: RequestContext,
  { name: clientName }: Client,
  allowed: boolean,
): Promise<ResponseData> {
  const props = {
    ...await framePropsWith(ctx, cibaTexts),
    clientName,
    allowed,
    accountPath: `${ctx.settings.base}/account`,
  };
  return await pageResponse(cibaParts(ctx).pages.backchannelDone(props));
}
