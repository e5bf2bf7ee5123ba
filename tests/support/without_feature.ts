import { assert } from "@std/assert";
import { demoUsers } from "../../src/lab/demo/demo_users.ts";
import { publicPasswords } from "../../src/lab/sign_in/one_click.ts";
import { makeTestKey } from "../../src/lab/tokens/test_keys.ts";
import { type Config, features } from "../../src/server/features.ts";
import { memoryStore } from "../../src/server/mod.ts";
import { createInternalServer } from "../../src/server/server.ts";
import { createKit, kitParts } from "./flow_kit.ts";

const clients = [{ id: "demo-spa", redirectUris: ["https://hallpass.test/authorized"] }];

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
  const store = memoryStore();
  const policies = { passwords: publicPasswords, makeKey: makeTestKey };
  const open = (names: (name: string) => boolean, own: Partial<Config> = {}) => {
    const parts = kitParts();
    const given = { ...parts.config, users: demoUsers, clients, policies, store, ...config };
    const chosen = features.filter(({ name, needs = [] }) =>
      names(name) && needs.every((each) => names(each.name))
    );
    return createKit(createInternalServer({ ...given, ...own }, chosen), parts);
  };
  return { whole: open(() => true, ofWhole), without: open((name) => name !== feature) };
}
