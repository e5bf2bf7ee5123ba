import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { openKit, service } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { hasFeature } from "../support/where_feature.ts";

/** A store that notes its calls, as in "get code". */
function countedStore(): { store: Store; calls: string[] } {
  const calls: string[] = [];
  const counted = Object.entries(memoryStore()).map(([name, method]) => [
    name,
    (kind: unknown, ...rest: unknown[]) => {
      calls.push(typeof kind === "string" ? `${name} ${kind}` : name);
      return (method as (...args: unknown[]) => unknown)(kind, ...rest);
    },
  ]);
  return { store: Object.fromEntries(counted), calls };
}

describe("A request costs no more calls of the store, and so round trips, than these:", () => {
  it("authorize, redeem, introspect, userinfo", async () => {
    const { store, calls } = countedStore();
    const kit = openKit({ store });
    const browser = kit.browser();
    const scope = "openid offline_access";
    // Signs in, allows, and makes the keys.
    const first = await browser.authorize(kit.authorizationUrl({ scope, prompt: "consent" }));
    const tokens = await kit.redeem(present(new URL(first).searchParams.get("code")));
    /** Returns what a request responds, after its calls were compared with those expected. */
    const costs = async <T>(expected: readonly string[], act: () => Promise<T>): Promise<T> => {
      await kit.server.context.background.idle();
      calls.length = 0;
      const result = await act();
      assertEquals(calls, expected);
      return result;
    };

    const { headers } = await costs([
      ...["get session", "get ended-session", "list consent"],
      ...["put authorization", "put user-authorization", "put session-client"],
      // The consent may have been withdrawn meanwhile.
      ...["list consent", "put code"],
    ], () => browser.request(kit.authorizationUrl({ scope: "openid" })));
    const code = present(new URL(present(headers.get("Location"))).searchParams.get("code"));
    await costs(
      [
        ...["get code", "get authorization", "get ended-session"],
        ...["add refresh-token", "consume code"],
      ],
      () => kit.redeem(code),
    );
    const { body } = await costs(
      ["get refresh-token", "get authorization", "add refresh-token", "consume refresh-token"],
      () => kit.refresh(tokens.body.refresh_token),
    );
    const check = ["get revoked-token", "get authorization"];
    if (hasFeature("introspection")) {
      await costs(check, () => kit.introspect(body.access_token, {}, service));
    }
    await costs(check, () => kit.userinfo(body.access_token));
  });

  it("a probe that asks whether the process lives: none", async () => {
    const { store, calls } = countedStore();
    assertEquals((await openKit({ store }).get("/health")).status, 200);
    assertEquals(calls, []);
  });
});
