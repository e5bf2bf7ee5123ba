import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { frontchannelLogoutUriProblem } from "../../../../src/server/features/frontchannel_logout/config.ts";
import { type FuzzTarget, fuzzTarget } from "../../fuzz/fuzz_target.ts";
import { anyUri } from "../../fuzz/generators/values.ts";

/** URIs at which applications hear of a logout. */
export const frontchannelTargets: readonly FuzzTarget[] = [
  fuzzTarget(
    "a front-channel logout URI is of a redirect URI's origin",
    fc.tuple(anyUri, anyUri),
    ([uri, other]) => {
      if (frontchannelLogoutUriProblem(uri, [other]) !== undefined) return;
      assertEquals(new URL(uri).origin, new URL(other).origin);
    },
  ),
];
