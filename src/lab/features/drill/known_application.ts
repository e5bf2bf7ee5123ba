import { isLoopbackHost, parseUrl } from "../../../server/util/addresses/uri.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { type Exchange, parameterOf } from "../../recording/exchange.ts";
import { withoutQuery } from "../verdicts/drill_access.ts";
import type { DrillApplication } from "./application_login.ts";

/** An application that signed a user in, with the URL that begins its login, as a guess. */
export interface KnownApplication extends Pick<DrillApplication, "start"> {
  origin: string;
  client: string;
  /** When it redeemed its last code, in milliseconds of the lab's clock. */
  at: number;
}

/**
 * Finds the application on this machine that last signed a user in. Nothing is opened for it: the
 * redirect URI names its origin, and the Referer the page that led to the lab.
 */
export function findKnownApplication(lab: CoreLab): KnownApplication | undefined {
  const exchanges = lab.exchanges();
  const redeemed = exchanges.filter(isCodeRedeemed).reverse();
  const clients = new Set(redeemed.flatMap(({ request: { client } }) => client ?? []));
  for (const client of clients) {
    // Any page can send a request that is refused: its URL is not the application's.
    const own = exchanges.filter(({ request, response }) =>
      request.client === client && response !== undefined && response.status < 400
    ).reverse();
    const origin = own.map(({ request }) => originOf(parameterOf(request, "redirect_uri")))
      .find((each) => each !== undefined && each !== originOf(lab.issuer));
    if (origin === undefined) continue;
    const at = redeemed.find(({ request }) => request.client === client)?.at ?? 0;
    return { origin, client, at, start: guessStart(own, origin) };
  }
  return undefined;
}

/**
 * Returns the client that redeemed a code since a request: the one of the login, unless others did
 * so at the same time.
 */
export function findClientSince(
  lastId: number,
  exchanges: readonly Exchange[],
): string | undefined {
  const redeemed = exchanges.filter(isCodeRedeemed)
    .filter(({ id, tenant }) => id > lastId && tenant === undefined);
  const [client, ...others] = new Set(redeemed.map(({ request }) => request.client));
  return others.length === 0 ? client : undefined;
}

function isCodeRedeemed({ request: { endpoint, form }, response }: Exchange): boolean {
  return endpoint === "token" && form.has("code") && response?.status === 200;
}

/** Returns the origin of a URL on this machine, where alone a guess may lead a drill. */
function originOf(url: string | undefined): string | undefined {
  const parsed = parseUrl(url ?? "");
  const isNear = /^https?:$/.test(parsed?.protocol ?? "") && isLoopbackHost(parsed?.hostname ?? "");
  return isNear ? parsed?.origin : undefined;
}

/** Browsers send the whole Referer to the same origin only, but applications may ask for more. */
function guessStart(own: readonly Exchange[], origin: string): string {
  const start = own.map(({ request }) => request.headers.referer)
    .find((referer) => originOf(referer) === origin);
  return start === undefined ? `${origin}/` : withoutQuery(start);
}
