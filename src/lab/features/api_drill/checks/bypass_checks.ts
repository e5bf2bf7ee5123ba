import { parseJson } from "../../../../server/util/text/json.ts";
import type { CheckTable } from "../../../findings/sentences.ts";
import { commonForgeries, forgeJwt } from "../../faults/jwt_forgery.ts";
import { spellingsOf } from "../../verdicts/path_spellings.ts";
import { namingHeaders, proxyHeaders, valued } from "../../verdicts/proxy_headers.ts";
import {
  type ApiCheck,
  type CheckReading,
  refusing,
  unlessOpaque,
  unlessScoped,
} from "../api_check.ts";
import { type ApiResponse, isAccepted } from "../call_api.ts";
import { type ApiRequest, type DrilledApi, freshJwt, scopeClaims } from "../drilled_api.ts";
import { must, should } from "./sentences.ts";

/** What parameters and cookies with a token are called. */
export const tokenNames: readonly string[] = [
  ...["access_token", "accessToken", "token", "auth_token", "jwt", "id_token", "session", "auth"],
];

const withoutToken = {
  takes: "nothing",
  gain: "The URL is all that a caller of the API needs, without a token.",
} as const;

/** What an API must refuse although the request looks as if something else had checked it. */
export const bypassChecks: CheckTable<ApiCheck> = {
  trusted_headers: must("apiProxy", {
    title: "A request without a token must be refused, also with the headers of a proxy",
    mistake: "Takes headers that anyone can send for the word of a proxy",
    ...withoutToken,
    fix:
      "Take who calls, and what was checked, from the token alone; or let the API listen where " +
      "only its proxy can connect, and let the proxy remove these headers.",
    leftOut: unlessClosed,
    run: tryHeaders,
  }),
  path_spelling: must("apiValidation", {
    title: "Another spelling of a path must be refused without a token, as the path is",
    mistake: "Opens a protected path without a token if it is spelled in another way",
    ...withoutToken,
    fix: "Protect all paths, and name those that are open; compare them as the router reads them.",
    leftOut: unlessClosed,
    run: (api) =>
      openFirst(
        api,
        spellingsOf(new URL(api.url)).map(([what, path]) => ({
          what: `its path with ${what}, and no token`,
          path,
        })),
      ),
  }),
  refused_body: must("apiValidation", {
    title: "A refusal must not contain what a valid token opens",
    mistake: "Refuses a request, and sends what it asks for in the same response",
    ...withoutToken,
    fix: "End the request with the refusal, before the code that handles it runs.",
    async run(api) {
      const valid = await api.send(await api.present(await api.mint(), "a valid token"));
      const shown = valid.text.trim();
      const expired = await api.present(await api.mint({ expiresIn: "-1h" }), "an expired token");
      const wrong = [];
      for (const request of [{ what: "a request without a token" }, expired]) {
        const { status, text } = await api.send(request);
        const isShown = (status < 200 || status > 299) && text.includes(shown);
        if (isShown) {
          wrong.push({ received: `the same text, with status ${status}, for ${request.what}` });
        }
      }
      // An empty text, or a very short one, is in many.
      return { wrong: isAccepted(valid) && shown.length >= shortest ? wrong : [] };
    },
  }),
  second_token: must("apiSignature", {
    title: "The claims must come from the token that was verified",
    mistake: "Verifies one token, and takes the claims from another one",
    takes: "nothing",
    gain: "A user with a token of their own becomes any other user.",
    fix: "Use the claims that your library returns when it verifies the token, and no others.",
    leftOut: (api) =>
      unlessOpaque(api) ?? (api.options.otherUser === undefined ? unlessScoped(api) : undefined),
    run: trySecondTokens,
  }),
  cookie_token: should("apiCookie", {
    title: "A token in a cookie should be refused",
    gain: "Another site sends requests with the user's token, which browsers add to them.",
    takes: "a browser",
    size: "limit",
    fix: "Take the token from the Authorization header alone, or compare the Origin of a request.",
    leftOut: unlessClosed,
    async run(api) {
      const token = await api.mint();
      const Cookie = tokenNames.map((name) => `${name}=${token}`).join("; ");
      const valid = await api.present(token, "a token in a cookie");
      return await openFirst(api, [{ ...valid, headers: { Cookie } }]);
    },
  }),
};

/** Less than this may be in any text. */
const shortest = 10;

/** Presents a token that allows too little, next to a forged one that would be enough. */
async function trySecondTokens(api: DrilledApi): Promise<CheckReading> {
  const { otherUser } = api.options;
  const claims = scopeClaims(api, "hallpass-drill");
  const own = await api.present(
    await api.mint(otherUser === undefined ? { claims } : { sub: otherUser }),
    "a token that allows too little",
  );
  if (isAccepted(await api.send(own))) return { skipped: "The API accepts it by itself." };
  const token = await forgeJwt(api.lab, freshJwt(api), commonForgeries.foreign_signature);
  const named = ["X-Access-Token", "X-Id-Token", "X-Jwt-Assertion", "X-Forwarded-Access-Token"];
  const headers = valued([...named, "X-Auth-Token", "X-Amzn-Oidc-Data", "X-User-Token"], token);
  const query = valued(tokenNames, token);
  const Cookie = tokenNames.map((name) => `${name}=${token}`).join("; ");
  const what = `${own.what}, and a forged one in`;
  return await refusing(async () => [
    { ...own, what: `${what} a header`, headers: { ...own.headers, ...headers } },
    { ...own, what: `${what} the query`, query },
    { ...own, what: `${what} a cookie`, headers: { ...own.headers, Cookie } },
  ])(api);
}

function unlessClosed({ isOpen }: DrilledApi): string | undefined {
  return isOpen ? "The API accepts requests without a token." : undefined;
}

/** Tries headers of a kind together. What opens the API is found out one by one. */
async function tryHeaders(api: DrilledApi): Promise<CheckReading> {
  const email = `${api.user}@${new URL(api.url).hostname}`;
  const groups = [namingHeaders(api.user, email), ...proxyHeaders()];
  for (const headers of groups) {
    const found = await openFirst(api, [{ what: "headers of a proxy, and no token", headers }]);
    if (!found.wrong) continue;
    const single = await openFirst(
      api,
      Object.entries(headers).map(([name, value]) => ({
        what: `the header '${name}: ${value}', and no token`,
        headers: { [name]: value },
      })),
    );
    return single.wrong ? single : found;
  }
  return {};
}

/**
 * Sends requests until one shows what a valid token shows. Another response with success may be
 * that of an open path.
 */
async function openFirst(
  api: DrilledApi,
  requests: readonly ApiRequest[],
): Promise<CheckReading> {
  const valid = await api.send(
    await api.present(await api.mint(), "a valid token to compare with"),
  );
  for (const request of requests) {
    const response = await api.send(request);
    if (isAccepted(response) && isAlike(response, valid)) {
      return { wrong: [{ received: `status ${response.status} for ${request.what}` }] };
    }
  }
  return {};
}

/** Whether two responses are of one kind: the same text, or JSON with the same members. */
function isAlike(one: ApiResponse, other: ApiResponse): boolean {
  if (one.text === other.text) return true;
  const [shape, otherShape] = [one, other].map(({ text }) => shapeOf(parseJson(text)));
  return shape !== undefined && shape === otherShape;
}

function shapeOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return Array.isArray(value) ? `[${shapeOf(value[0]) ?? ""}]` : Object.keys(value).sort().join();
}
