import {
  type Duration,
  hallpass,
  type HallpassOptions,
  type TestLab,
} from "../../../src/lab/testing/mod.ts";
import type { MeasuredLab } from "../harness/measured_lab.ts";
import { clientId, clientSecret, type Configuration, Site, usual } from "./site.ts";

const issuer = "http://localhost:9000";

export const siteOrigin = "http://localhost:3000";

/** A lab with the application by hand, both in this process. */
export interface OpenSite extends MeasuredLab {
  lab: TestLab;
  site: Site;
  advance(span: Duration): void;
}

/** What a bug replaces in the application. */
export type Change = (site: Site) => Partial<Site>;

/** How an application by hand is opened. */
export interface SitePlan {
  configuration?: Configuration;
  /** Settings of the lab. */
  lab?: object;
  /** Settings of the client. */
  registered?: object;
  change?: Change;
}

/** Opens a lab, and an application with some steps replaced. */
export async function openSite(plan: SitePlan = {}): Promise<OpenSite> {
  const { configuration: given = {}, lab: settings = {}, registered = {}, change } = plan;
  const configuration = { ...usual, ...given };
  const parts: { lab?: TestLab } = {};
  const labOf = () => parts.lab ?? fail();
  const site = new Site({
    issuer,
    origin: siteOrigin,
    now: () => labOf().clock.now(),
    configuration,
    fetch: respond,
  });
  Object.assign(site, change?.(site));
  async function respond(request: Request): Promise<Response> {
    const { origin } = new URL(request.url);
    if (origin === siteOrigin) return await site.respond(request);
    // What a token names may be anywhere on this machine.
    return origin === issuer ? await labOf().fetch(request) : await fetch(request);
  }
  const lab = parts.lab = await hallpass({
    issuer,
    alg: "EdDSA",
    ...settings,
    clients: [{ ...await clientOf(site, configuration), ...registered }],
    fetch: (url: string, { method, headers, body }: RequestInit) =>
      respond(new Request(url, { method, headers, body: body ?? null } as RequestInit)),
  } as HallpassOptions);
  return {
    lab,
    issuer,
    fetch: respond,
    site,
    advance: (span) => lab.clock.advance(span),
    [Symbol.asyncDispose]: () => lab.close(),
  };
}

/** Returns the registration of an application. */
export async function clientOf(
  site: Site,
  configuration: Required<Configuration>,
): Promise<{ id: string } & Record<string, unknown>> {
  const { client, pkce, otherCallback } = configuration;
  const { origin } = site.settings;
  return {
    id: clientId,
    redirectUris: [site.redirectUri, ...otherCallback ? [`${site.redirectUri}/other`] : []],
    grantTypes: ["authorization_code", "refresh_token"],
    postLogoutRedirectUris: [`${origin}/signed-out`],
    backchannelLogoutUri: `${origin}/backchannel-logout`,
    ...client === "secret" && { secret: clientSecret },
    ...client === "private_key_jwt" && {
      authentication: ["private_key_jwt"],
      jwks: { keys: [{ ...await site.publicKey(), kid: "own", use: "sig", alg: "ES256" }] },
    },
    ...!pkce && { pkce: "optional" },
  };
}

function fail(): never {
  throw new Error("The lab is not open yet.");
}
