import { jsonResponse } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { ReportedFacts, WireRequest } from "../recording/exchange.ts";
import type { DialectParts } from "./dialect_parts.ts";
import type { DialectPlace } from "./dialect_places.ts";
import { withPlayedHosts } from "./played_hosts.ts";
import { fillTemplate } from "./template.ts";
import { apiTokenOf, respondAsUserApi } from "./user_apis.ts";

/** Responds to a request for what only the dialect has, or for what it lacks. */
export async function respondAtPlace(
  parts: DialectParts,
  ctx: Context,
  request: WireRequest,
  learned: ReportedFacts,
): Promise<ResponseData | undefined> {
  const place = parts.placeOf(request);
  const { valuesFor, tokens: { originalOf } } = parts;
  if (lacks(parts, place, request)) return jsonResponse({ error: "not_found" }, 404);
  switch (place?.kind) {
    case "userApi": {
      const token = originalOf(apiTokenOf(request));
      return await respondAsUserApi(ctx, place.api, token, valuesFor(ctx), learned);
    }
    case "tokenApi": {
      const { respondAsTokenApi } = await import("./token_apis.ts");
      const { api, segment } = place;
      const asked = { api, segment, request, values: valuesFor(ctx), originalOf };
      return await respondAsTokenApi(ctx, asked, learned);
    }
    case "certificates": {
      const { respondWithCertificates } = await import("./key_certificates.ts");
      return await respondWithCertificates(ctx);
    }
    case "document": {
      const { document: { body, status }, segment } = place;
      const { dialect: { hosts = [] }, address } = parts;
      const filled = fillTemplate(body, { ...valuesFor(ctx), segment });
      return jsonResponse(withPlayedHosts(filled, address.base, hosts), status);
    }
  }
}

/** Whether the provider has nothing at a place, or not the endpoint of the server. */
function lacks(
  { dialect: { missingEndpoints = [] } }: DialectParts,
  place: DialectPlace | undefined,
  { endpoint }: WireRequest,
): boolean {
  return place?.kind === "hidden" || missingEndpoints.some((each) => each === endpoint);
}
