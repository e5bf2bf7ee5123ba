import { assert, assertEquals } from "@std/assert";
import { it } from "node:test";
import { add as addClient } from "../../src/administration/clients.ts";
import { type ClientConfig, type Config, features } from "../../src/server/features.ts";
import { findClient } from "../../src/server/issuer/clients/clients.ts";
import { memoryStore } from "../../src/server/mod.ts";
import { openStrictKit, spa } from "./kit.ts";

/**
 * Opens two servers on one store: one with every feature, which may have settings of its own, and
 * one without one of them.
 */
export function openWithAndWithout(
  feature: string,
  config: Partial<Config> = {},
  ofWhole: Partial<Config> = {},
) {
  assert(features.some(({ name }) => name === feature), `there is no feature '${feature}'`);
  const given = { clients: [spa()], store: memoryStore(), ...config };
  return {
    whole: openStrictKit({ ...given, ...ofWhole }),
    without: openStrictKit(given, feature),
  };
}

/** Adds a test: a server without a feature knows no stored client that asks for it. */
export function itKnowsNoClient(
  what: string,
  settings: Partial<ClientConfig>,
  feature: string,
  config: Partial<Config> = {},
): void {
  it(`knows no stored client that ${what}`, async () => {
    const { whole, without } = openWithAndWithout(feature, {}, config);
    const redirectUris = ["https://app.example/cb"];
    for (const [id, own] of Object.entries({ app: settings, other: {} })) {
      await addClient(whole.server.context, { redirectUris, ...own, id });
    }
    const found = [whole, without].map(async ({ server: { context } }) => {
      const clients = [await findClient(context, "app"), await findClient(context, "other")];
      return clients.map((client) => client?.id);
    });
    assertEquals(await Promise.all(found), [["app", "other"], [undefined, "other"]]);
  });
}
