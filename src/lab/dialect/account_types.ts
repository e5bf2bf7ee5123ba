import { findIssuedCode } from "../../server/grants/issue_without_request.ts";
import type { Context } from "../../server/issuer/context.ts";
import { findUser } from "../../server/issuer/users/users.ts";
import { basePath } from "../../server/protocol/issuer_url.ts";
import { parameterOf, type WireRequest, type WireResponse } from "../recording/exchange.ts";
import { escapeXml } from "../util/xml.ts";
import { userValues } from "./added_claims.ts";
import { segmentIn } from "./match_path.ts";
import type { AccountRule, AccountTypes } from "./request_settings.ts";
import { fillTemplate, type TemplateValues } from "./template.ts";

/** Why a user may not sign in where the client sent the browser. */
export interface AccountRefusal {
  text: string;
  /** Whether the client asked for a response without a page. */
  isSilent: boolean;
}

/** Returns why the user of a code may not sign in by the path of the request, or undefined. */
export async function findAccountRefusal(
  ctx: Context,
  { path, account: template, rules }: AccountTypes,
  { asked, code, values }: { asked: WireRequest; code: string; values: TemplateValues },
): Promise<AccountRefusal | undefined> {
  const segment = segmentIn(path, pathBelow(asked.url, String(values.base)));
  const rule = rules.find(({ segments }) => segments?.includes(segment ?? "") ?? true);
  const issued = segment === undefined ? undefined : await findIssuedCode(ctx, code);
  const user = issued && await findUser(ctx, issued.userName);
  if (!rule || !user) return undefined;
  const known = { ...values, ...userValues(user), client: issued.clientId };
  if (maySignIn(rule, fillTemplate(template, known), known)) return undefined;
  const { text = "This account cannot be used here." } = rule;
  return {
    text: String(fillTemplate(text, known)),
    isSilent: parameterOf(asked, "prompt") === "none",
  };
}

/** A host of the provider has the same paths as the lab itself. */
function pathBelow(url: string, base: string): string {
  const { pathname } = new URL(url);
  const prefix = basePath(base);
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
}

function maySignIn(
  { only, never = [] }: AccountRule,
  account: unknown,
  values: TemplateValues,
): boolean {
  const isAmong = (list: readonly string[]) =>
    list.some((each) => fillTemplate(each, values) === account);
  return !isAmong(never) && (only === undefined || isAmong(only));
}

/** Makes the page for a user who is refused. The session of the user goes on. */
export function refusedAccountPage(text: string, { headers }: WireResponse): WireResponse {
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
