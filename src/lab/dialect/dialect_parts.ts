import type { Context } from "../../server/issuer/context.ts";
import { randomId } from "../../server/issuer/random.ts";
import type { WireRequest } from "../recording/exchange.ts";
import type { Dialect } from "./dialect.ts";
import type { DialectAddress } from "./dialect_address.ts";
import { createDialectPlaces } from "./dialect_places.ts";
import { fillTemplate, type TemplateValues } from "./template.ts";
import { createTokenShapes } from "./token_shapes.ts";
import { apiOfScope, withAudience } from "./userinfo_audience.ts";

/** A dialect, with what follows from where it is spoken. */
export type DialectParts = ReturnType<typeof createDialectParts>;

/** Creates the parts of a dialect; the time of `now` is in milliseconds. */
export function createDialectParts(
  dialect: Dialect,
  address: DialectAddress,
  now: () => number,
) {
  const findPlace = createDialectPlaces(dialect, address);
  return {
    dialect,
    address,
    placeOf: ({ url, method }: Pick<WireRequest, "url" | "method">) =>
      findPlace(new URL(url).pathname, method),
    /** Returns what templates know about a response. */
    valuesFor(ctx: Context) {
      const { lifetimes } = ctx.settings;
      const expires_in = Math.min(lifetimes.refreshIdle, lifetimes.refreshToken);
      const instant = now();
      const seconds = Math.floor(instant / 1000);
      return {
        ...address,
        host: new URL(address.base).host,
        random: randomId(ctx),
        trace: randomId(ctx),
        now: seconds,
        time: new Date(instant).toISOString().replace("T", " ").replace(/\.\d+Z/, "Z"),
        /** The lifetime of a refresh token. */
        refresh: { exp: seconds + expires_in, expires_in },
      };
    },
    tokens: createTokenShapes(dialect, (token) => tokenValues(dialect, address, token)),
  };
}

/** Returns what templates know about a token. */
function tokenValues(
  dialect: Dialect,
  address: DialectAddress,
  token: Readonly<Record<string, unknown>>,
): TemplateValues {
  const { scopeAudience, userinfoAudience = "{issuer}" } = dialect;
  const api = scopeAudience ? apiOfScope(token.scope) : undefined;
  const audience = api?.name ?? fillTemplate(userinfoAudience, { ...address });
  return {
    ...address,
    token: {
      ...withAudience(token, address.issuer, audience),
      ...api && { scope: api.scope },
      // The same in all tokens of an authorization: a `jti` begins with its id.
      origin: String(token.jti).split(".")[0],
    },
  };
}
