import type { User } from "../../server/model/user.ts";
import { OAuthError } from "../../server/protocol/oauth_error.ts";
import type { InternalServer } from "../../server/server.ts";
import { parameterOf, type WireRequest, type WireResponse } from "../recording/exchange.ts";
import { changePart, redirect } from "../responses/part.ts";
import { escapeXml } from "../util/xml.ts";
import { userValues } from "./added_claims.ts";
import { pathBelow, segmentIn } from "./match_path.ts";
import type { AccountTypes, FormPostRule } from "./request_settings.ts";
import { fillTemplate, type TemplateValues } from "./template.ts";

/** Why a user may not sign in where the client sent the browser. */
export interface AccountRefusal {
  text: string;
  /** Whether the client asked for a response without a page. */
  isSilent: boolean;
}

/** Looks at the users of one request, before the server issues anything. */
export type AccountCheck = ReturnType<typeof createAccountCheck>;

/** Creates the check of a request; `findAsked` finds the request with which its flow began. */
export function createAccountCheck(
  types: AccountTypes,
  values: TemplateValues,
  findAsked: () => Promise<WireRequest | undefined>,
) {
  let refusal: AccountRefusal | undefined;
  return {
    /** Returns why a user may not sign in by the path where the flow began, or undefined. */
    async refuseUser(user: User): Promise<OAuthError | undefined> {
      const asked = await findAsked();
      if (!asked) return undefined;
      const text = accountProblem(types, user, asked, values);
      if (text === undefined) return undefined;
      refusal = { text, isSilent: parameterOf(asked, "prompt") === "none" };
      return new OAuthError("access_denied", text, {
        fix: "Sign in with an account that this path is for.",
      });
    },
    /** Returns why the user of the request was refused, if one was. */
    refusal: () => refusal,
  };
}

/** Replaces the response to a user who may not sign in where the flow began. */
export async function refuseAccount(
  server: InternalServer,
  response: WireResponse,
  { text, isSilent }: AccountRefusal,
): Promise<WireResponse> {
  if (!isSilent) return refusedAccountPage(text, response);
  const error = { error: "interaction_required", error_description: text };
  return await changePart(redirect, server, response, ({ redirectUri, parameters: { state } }) => ({
    redirectUri,
    parameters: { ...error, ...state !== undefined && { state } },
  }));
}

/** Returns the refusal of an authorization request that lacks `response_mode=form_post`. */
export function formPostRefusal(
  { scopes, description }: FormPostRule,
  request: WireRequest,
): OAuthError | undefined {
  const named = parameterOf(request, "scope")?.split(" ") ?? [];
  const needsForm = request.endpoint === "authorize" && named.some((one) => scopes.includes(one));
  if (!needsForm || parameterOf(request, "response_mode") === "form_post") return undefined;
  return new OAuthError("invalid_request", description, {
    parameter: "response_mode",
    fix: `Send response_mode=form_post with the scopes ${scopes.join(" and ")}.`,
  });
}

/** Returns the refusal of a request for what the provider has and the lab does not play. */
export function missingPathRefusal(text: string): OAuthError {
  return new OAuthError("not_found", `The lab does not play this path of the provider: ${text}`);
}

function accountProblem(
  { paths, account: template, rules }: AccountTypes,
  user: User,
  { url, client }: WireRequest,
  values: TemplateValues,
): string | undefined {
  const path = pathBelow(new URL(url).pathname, String(values.base));
  const segment = paths.map((each) => segmentIn(each, path)).find((each) => each !== undefined);
  const rule = rules.find(({ segments }) => segments?.includes(segment ?? "") ?? true);
  if (segment === undefined || !rule) return undefined;
  const known = { ...values, ...userValues(user), client };
  const account = fillTemplate(template, known);
  const isAmong = (list: readonly string[]) =>
    list.some((each) => fillTemplate(each, known) === account);
  const { only, never = [], text = "This account cannot be used here." } = rule;
  if (!isAmong(never) && (only === undefined || isAmong(only))) return undefined;
  return String(fillTemplate(text, known));
}

/** Makes the page for a user who is refused. The session of the user goes on. */
function refusedAccountPage(text: string, { headers }: WireResponse): WireResponse {
  const title = "Sorry, but we’re having trouble signing you in.";
  return {
    status: 400,
    headers: [
      ["Content-Type", "text/html; charset=utf-8"],
      ["Cache-Control", "no-store"],
      ["Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"],
      ["X-Content-Type-Options", "nosniff"],
      ...headers.filter(([name]) => name.toLowerCase() === "set-cookie"),
    ],
    body: `<!DOCTYPE html><html lang="en"><head><title>${title}</title></head>` +
      `<body><h1>${title}</h1><p id="error-description">${escapeXml(text)}</p></body></html>`,
  };
}
