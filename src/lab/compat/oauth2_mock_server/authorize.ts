import type { ResponseData } from "../../../server/http/response_data.ts";
import { type MockExchange, type MockParts, redirectResponse } from "./mock_exchange.ts";
import { InvalidRequest, readUrl } from "./problem.ts";

const challengeMethods = ["plain", "S256"];

/** Redirects at once, with a code for any client and any redirect URI. */
export async function respondToAuthorize(
  { emit, codes }: MockParts,
  { request, wireRequest, message, respondStrictly }: MockExchange,
): Promise<ResponseData> {
  const redirectUri = single(wireRequest.query, "redirect_uri");
  const state = single(wireRequest.query, "state");
  single(wireRequest.query, "scope");
  if (redirectUri === undefined) throw new InvalidRequest("Invalid redirectUri type");
  const strict = await respondStrictly(request);
  const url = readUrl("redirect_uri", redirectUri);
  if (wireRequest.query.get("response_type") === "code") {
    const code = codeIn(strict) ?? crypto.randomUUID();
    codes.set(code, readPending(wireRequest.query));
    url.searchParams.set("code", code);
  } else {
    url.searchParams.set("error", "unsupported_response_type");
    url.searchParams.set(
      "error_description",
      "The authorization server does not support obtaining an access token using this " +
        "response_type.",
    );
  }
  if (state !== undefined) url.searchParams.set("state", state);
  emit("beforeAuthorizeRedirect", { url }, message);
  return redirectResponse(url);
}

function readPending(query: URLSearchParams) {
  const challenge = query.get("code_challenge") ?? undefined;
  const method = query.get("code_challenge_method") ?? "plain";
  if (challenge !== undefined && !challengeMethods.includes(method)) {
    throw new InvalidRequest(
      `Unsupported code_challenge method ${method}. ` +
        "The following code_challenge_method are supported: plain, S256",
    );
  }
  return { nonce: query.get("nonce") ?? undefined, challenge, method };
}

/** Returns the code that the server itself issued. */
function codeIn({ headers }: ResponseData): string | undefined {
  const [, location = ""] = headers.find(([name]) => name.toLowerCase() === "location") ?? [];
  return URL.canParse(location)
    ? new URL(location).searchParams.get("code") ?? undefined
    : undefined;
}

function single(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw new InvalidRequest(`'${name}' may occur once only`);
  return values[0];
}
