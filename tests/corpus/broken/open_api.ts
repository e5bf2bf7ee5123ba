import { hallpass, type HallpassOptions } from "../../../src/lab/testing/mod.ts";
import type { MeasuredLab } from "../harness/measured_lab.ts";
import { Api, type ApiConfiguration, requiredScope, usualApi } from "./api.ts";

export const apiUrl = "http://localhost:4000/orders";

/** What a bug replaces in the API. */
export type ApiChange = (api: Api) => Partial<Api>;

/** How the API by hand is opened. */
export interface ApiPlan {
  configuration?: ApiConfiguration;
  /** Settings of the lab. */
  lab?: object;
  /** What the drill is told of it. */
  drill?: object;
  change?: ApiChange;
}

/** Opens a lab, and an API with some steps replaced. */
export async function openApi(plan: ApiPlan = {}): Promise<MeasuredLab> {
  const { configuration: given = {}, lab: settings = {}, change } = plan;
  const configuration = { ...usualApi, ...given };
  const format = configuration.introspects ? "opaque" : "jwt";
  const parts: { api?: Api } = {};
  const lab = await hallpass({
    issuer: "http://localhost:9000",
    scopes: ["openid", "offline_access", ...requiredScope],
    resources: [{ uri: apiUrl, accessTokenFormat: format }],
    ...settings,
    fetch: (url: string, { method, headers, body }: RequestInit) =>
      respond(new Request(url, { method, headers, body: body ?? null } as RequestInit)),
  } as HallpassOptions);
  async function respond(request: Request): Promise<Response> {
    const { origin } = new URL(request.url);
    if (origin === new URL(apiUrl).origin) {
      return await parts.api?.respond(request) ?? new Response(null, { status: 500 });
    }
    // What a token names may be anywhere on this machine.
    return origin === lab.issuer ? await lab.fetch(request) : await fetch(request);
  }
  const api = new Api({
    issuer: lab.issuer,
    url: apiUrl,
    now: lab.clock.now,
    configuration,
    fetch: respond,
  });
  Object.assign(api, change?.(api));
  parts.api = api;
  return {
    issuer: lab.issuer,
    fetch: respond,
    [Symbol.asyncDispose]: () => lab.close(),
  };
}
