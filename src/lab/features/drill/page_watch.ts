import type { ClientConfig } from "../../../server/features.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { type Exchange, jsonOf, parameterOf } from "../../recording/exchange.ts";
import { isDisturbance } from "../verdicts/controls.ts";
import { type DrillAccess, withoutQuery } from "../verdicts/drill_access.ts";
import type { VisitedResponse } from "./application_browser.ts";
import { hasValue, linksIn } from "./foreign_html.ts";

/** So many of the newest requests have the tokens that a page may show. */
const newest = 40;

/** A secret of a client or a user, by the name of its parameter. */
export type SecretName = "access_token" | "refresh_token" | "id_token" | "client_secret";

/** What the responses of an application show, while a drill goes on. */
export type PageWatch = ReturnType<typeof watchPages>;

interface WatchedSecrets {
  readonly context: Context;
  exchanges(): readonly Exchange[];
  readonly clients: { list(): readonly ClientConfig[] };
}

/** Watches the responses of an application for what they give away. */
export function watchPages(
  lab: WatchedSecrets,
  { isLab }: Pick<DrillAccess, "isLab">,
) {
  const secrets = { page: new Map<SecretName, string>(), url: new Map<SecretName, string>() };
  const linkedUris = new Set<string>();
  // A tenant is another issuer at the same address.
  const { base, paths } = lab.context.settings;
  const isOwn = (url: URL) => isLab(url) && url.pathname === base + paths.authorize;
  let texts: string[] = [];
  let isDisturbed = false;
  return {
    /** Where a secret stands, by what it is: in the text of pages, or in URLs. */
    secrets,
    /**
     * Returns the redirect URIs of authorization requests to other issuers: of tenants, or where
     * pages lead.
     */
    otherRedirectUris: (): ReadonlySet<string> =>
      new Set([
        ...linkedUris,
        ...lab.exchanges().filter(({ tenant }) => tenant !== undefined)
          .flatMap(({ request }) => parameterOf(request, "redirect_uri") ?? []),
      ]),
    /** Forgets the pages of earlier logins. */
    begin(): void {
      texts = [];
      isDisturbed = false;
    },
    /** Whether a response since then was an error of the application, or did not arrive. */
    isDisturbed: () => isDisturbed,
    /** A response did not arrive. */
    fail: () => void (isDisturbed = true),
    /** Whether a page since then shows one of some values. */
    shows: (values: readonly unknown[]) =>
      values.some((value) =>
        typeof value === "string" && texts.some((html) => hasValue(html, value))
      ),
    see({ url, next, html, status }: VisitedResponse): void {
      texts.push(html);
      isDisturbed ||= isDisturbance(status);
      for (const target of [next ?? [], linksIn(html, url).map(({ href }) => href)].flat()) {
        const uri = redirectUriIn(new URL(target));
        if (uri !== null && !isOwn(new URL(target))) linkedUris.add(uri);
      }
      for (const [name, secret] of secretsOf(lab)) {
        const at = withoutQuery(url);
        // A page, and a sign-out at the lab, may have the ID token as a hint.
        const isHint = name === "id_token";
        if (html.includes(secret) && !isHint) secrets.page.set(name, at);
        if (url.includes(secret) || next?.includes(secret) && !isHint) secrets.url.set(name, at);
      }
    },
  };
}

function redirectUriIn({ searchParams }: URL): string | null {
  const isRequest = searchParams.has("response_type") && searchParams.has("client_id");
  return isRequest ? searchParams.get("redirect_uri") : null;
}

function secretsOf(lab: WatchedSecrets): Array<[SecretName, string]> {
  const responses = lab.exchanges().slice(-newest)
    .filter(({ request }) => request.endpoint === "token")
    .map(({ response }) => response && jsonOf(response) || {});
  const named = (name: SecretName, values: readonly unknown[]) =>
    values.filter((value) => typeof value === "string" && value !== "")
      .map((value): [SecretName, string] => [name, String(value)]);
  return [
    ...named("access_token", responses.map(({ access_token }) => access_token)),
    ...named("refresh_token", responses.map(({ refresh_token }) => refresh_token)),
    ...named("id_token", responses.map(({ id_token }) => id_token)),
    // As it is, and as it is sent (RFC 6749, section 2.3.1).
    ...named(
      "client_secret",
      lab.clients.list().flatMap(({ id, secret }) =>
        secret ? [secret, btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)] : []
      ),
    ),
  ];
}
