import { assert, assertEquals, assertNotMatch } from "@std/assert";
import fc from "fast-check";
import { LabError } from "../../../../src/lab/util/lab_error.ts";
import { ConfigError } from "../../../../src/server/config/problems.ts";
import schema from "../../../../static/config.schema.json" with { type: "json" };
import { everyFlowConfig } from "../../../support/every_flow.ts";
import { type Kit, openLabKit, openStrictKit } from "../../../support/kit.ts";
import { type FuzzTarget, fuzzTarget } from "../fuzz_target.ts";
import { hostilePiece } from "../generators/texts.ts";
import { anyJson, anyUri } from "../generators/values.ts";

const own = { ...everyFlowConfig } as Record<string, unknown>;

/** Settings that run code, or that change how long things take. */
const leftOut = ["port", "store", "users", "keys", "signingKeys"];

const settings = Object.keys(schema.properties).filter((name) => !leftOut.includes(name));

const clientSettings = [
  ...["id", "name", "secret", "redirectUris", "grantTypes", "scopes", "native", "pkce", "jwks"],
  ...["authentication", "postLogoutRedirectUris", "responseModes", "subjectType", "idTokenAlg"],
  ...["defaultScope", "resources", "introspect", "tokenExchange", "dpop", "accessTokenFormat"],
];

/** A value as somebody may write it: often of the right kind. */
const anySetting = fc.oneof(
  anyJson,
  anyUri,
  fc.array(anyUri, { maxLength: 2 }),
  fc.constantFrom<unknown>(true, false, 0, -1, 1e9, "5m", "1h", "openid read", {}, [], [null]),
);

/** What is changed in a configuration that is in order. */
const changes = fc.array(
  fc.record({
    isOfClient: fc.boolean(),
    name: fc.oneof(
      { arbitrary: fc.constantFrom(...settings, ...clientSettings), weight: 8 },
      { arbitrary: hostilePiece, weight: 1 },
    ),
    value: anySetting,
  }),
  { minLength: 1, maxLength: 4 },
);

type Change = { isOfClient: boolean; name: string; value: unknown };

function changed(all: readonly Change[]): Record<string, unknown> {
  const clients = [...own.clients as object[]];
  let config = own;
  for (const { isOfClient, name, value } of all) {
    if (isOfClient) clients[0] = { ...clients[0], ...member(name, value) };
    else config = { ...config, ...member(name, value) };
  }
  return "clients" in config && config.clients !== own.clients ? config : { ...config, clients };
}

/** An own member, even if its name is `__proto__`. */
function member(name: string, value: unknown): object {
  return Object.defineProperty({}, name, { value, enumerable: true });
}

/** Opens a server, or returns the problems of its configuration. */
function openOrRefuse(open: () => Kit): Kit | undefined {
  try {
    return open();
  } catch (cause) {
    if (cause instanceof LabError) return undefined;
    if (!(cause instanceof ConfigError)) throw cause;
    assert(cause.problems.length > 0);
    for (const problem of cause.problems) {
      assertNotMatch(problem, /\[object Object\]/, problem);
    }
    return undefined;
  }
}

/** A server that was started must work: a wrong setting never shows at the first request. */
async function assertWorks(kit: Kit): Promise<void> {
  const issuer = new URL(kit.issuer).pathname.replace(/\/$/, "");
  const path = `${issuer}/.well-known/openid-configuration`;
  const response = await kit.server.fetch(new Request(new URL(path, kit.issuer)));
  const document = await response.json();
  assertEquals([response.status, document.issuer], [200, kit.issuer]);
  for (const page of ["/", "/account", "/oauth2/logout", "/device"]) {
    const request = new Request(new URL(`${issuer}${page}`, kit.issuer));
    const { status } = await kit.server.fetch(request);
    assert(status < 500, `${page}: ${status}`);
  }
  assertEquals(kit.events.filter(({ type }) => type === "server.failed"), []);
}

/** Configurations, as an operator or a test writes them. */
export const configTargets: readonly FuzzTarget[] = [
  fuzzTarget("a server works, or lists what is wrong with its settings", changes, async (all) => {
    const kit = openOrRefuse(() => openStrictKit(changed(all)));
    if (kit) await assertWorks(kit);
  }),

  fuzzTarget("a lab works, or lists what is wrong with its settings", changes, async (all) => {
    const { issuer: _, ...config } = changed(all);
    const kit = openOrRefuse(() => openLabKit(config));
    if (kit) await assertWorks(kit);
  }),
];
