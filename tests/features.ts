import { accountFixtures } from "./features/account/fixtures.ts";
import { deviceFixtures } from "./features/device/fixtures.ts";
import { logoutFixtures } from "./features/logout/fixtures.ts";
import type { FeatureFixtures } from "./support/feature_fixtures.ts";

/** What each feature adds to the tests of the whole server. */
export const featureFixtures: readonly FeatureFixtures[] = [
  deviceFixtures,
  logoutFixtures,
  accountFixtures,
];
