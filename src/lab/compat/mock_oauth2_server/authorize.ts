import { createIncomingRequest } from "../../../server/http/incoming_request.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import { isObject, parseJson } from "../../../server/util/text/json.ts";
import { readWireResponse, withWholeBody } from "../../recording/exchange.ts";
import { callbackIn, memberOf } from "../../recording/wire_callback.ts";
import { loginPage } from "./login_page.ts";
import { MockRefusal } from "./mock_error.ts";
import type { MockIssuerExchange, PendingLogin } from "./mock_state.ts";

/** Values of `prompt` that ask the user, as the sign-in page of the peer understands them. */
const prompts = ["login", "consent", "select_account"];

/** The parameters that an authorization request must have. */
const required = ["response_type", "client_id", "redirect_uri", "scope"];

/** Redirects at once, or after the sign-in page, with a code for any client and redirect URI. */
export async function respondToAuthorize(exchange: MockIssuerExchange): Promise<ResponseData> {
  const { state, wireRequest } = exchange;
  const { query, form, method } = wireRequest;
  checkRequest(query);
  const isAsked = state.config.interactiveLogin || prompts.some((each) => promptsOf(query, each));
  if (method !== "POST") return isAsked ? loginPage(state.loginPage, query) : succeed(exchange, {});
  const subject = form.get("username");
  if (!subject) throw new MockRefusal("invalid_request", "missing required parameter username");
  const claims = parseJson(form.get("claims") ?? "");
  return await succeed(exchange, { subject, claims: isObject(claims) ? claims : {} });
}

function checkRequest(query: URLSearchParams): void {
  for (const name of required) {
    if (query.get(name)) continue;
    throw new MockRefusal("invalid_request", `missing ${name} parameter`);
  }
  if (!query.get("response_type")?.split(" ").includes("code")) {
    throw new MockRefusal("invalid_grant", "only the response type 'code' is supported");
  }
  if (!URL.canParse(query.get("redirect_uri") ?? "")) {
    throw new MockRefusal("invalid_request", "invalid redirect_uri parameter");
  }
}

function promptsOf(query: URLSearchParams, prompt: string): boolean {
  return query.get("prompt")?.split(" ").includes(prompt) ?? false;
}

async function succeed(
  { state, context, request, wireRequest, respondStrictly }: MockIssuerExchange,
  { subject, claims = {} }: Partial<Pick<PendingLogin, "subject" | "claims">>,
): Promise<ResponseData> {
  const { query, url, headers } = wireRequest;
  const { "content-length": _, "content-type": __, ...others } = headers;
  const asked = request.method === "GET"
    ? request
    : createIncomingRequest(new Request(url, { headers: others }));
  const strict = await withWholeBody(await respondStrictly(asked));
  const callback = callbackIn(readWireResponse(strict), context.settings.issuer);
  const issued = memberOf(callback, "code");
  const code = issued ?? crypto.randomUUID();
  state.codes.set(code, {
    subject,
    claims,
    nonce: query.get("nonce") ?? undefined,
    challenge: query.get("code_challenge") ?? undefined,
    method: query.get("code_challenge_method") ?? "plain",
  });
  if (callback?.mode === "form_post" && issued !== undefined) {
    const kept = strict.headers.filter(([name]) => name.toLowerCase() !== "set-cookie");
    return { ...strict, headers: kept };
  }
  return { status: 302, headers: [["Location", locationOf(query, code)]], body: null };
}

function locationOf(query: URLSearchParams, code: string): string {
  const url = new URL(query.get("redirect_uri") ?? "");
  const state = query.get("state");
  const members = { code, ...state !== null && { state } };
  if (query.get("response_mode") === "fragment") {
    url.hash = new URLSearchParams(members).toString();
    return url.href;
  }
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
  return url.href;
}
