import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  readCeremonyResponse,
  verifyAssertion,
  verifyRegistration,
} from "../../../../src/server/features/passkeys/ceremony.ts";
import {
  createAuthenticator,
  flag,
  type Stated,
} from "../../../features/passkeys/software_authenticator.ts";
import { present } from "../../../support/present.ts";

const [origin, rpId, challenge] = ["https://id.example", "id.example", "Y2hhbGxlbmdl"];
const there = flag.present | flag.verified | flag.eligible | flag.backedUp;

const signIn: Stated = {
  ...{ type: "webauthn.get", challenge, origin, crossOrigin: false, rpId },
  ...{ flags: there, counter: 0 },
};

/** Assertions, and whether SimpleWebAuthn accepts them; we refuse all but the first. */
const assertions: ReadonlyArray<[
  what: string,
  stated: Partial<Stated>,
  changes: Record<string, unknown>,
  theirs: boolean,
]> = [
  ["one without a flaw", {}, {}, true],
  ["another origin", { origin: "https://evil.example" }, {}, false],
  ["another host", { rpId: "evil.example" }, {}, false],
  ["no PIN or finger", { flags: flag.present | flag.eligible }, {}, false],
  ["a registration", { type: "webauthn.create" }, {}, false],
  ["another signature", {}, { signature: "MAYCAQECAQE" }, false],
  ["a frame of another site", { crossOrigin: true }, {}, true],
  ["another user handle", {}, { userHandle: "b3RoZXI" }, true],
  ["another backup eligibility", { flags: flag.present | flag.verified }, {}, true],
];

describe("A passkey, judged by SimpleWebAuthn, too", () => {
  for (const algorithm of [-7, -8, -257] as const) {
    it(`with the algorithm ${algorithm} is registered, and signs in, by both alike`, async () => {
      const authenticator = await createAuthenticator({ algorithm });
      const text = await authenticator.register({
        ...{ ...signIn, type: "webauthn.create", flags: there | flag.attested },
      });
      const theirs = await verifyRegistrationResponse({
        response: JSON.parse(text),
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        supportedAlgorithmIDs: [-7, -8, -257],
      });
      const response = present(readCeremonyResponse(text));
      const ours = await verifyRegistration(response, { origin, rpId });
      assertEquals([theirs.verified, ours.problem], [true, undefined]);
      const { credential } = present(theirs.registrationInfo);
      const { passkey } = ours as Extract<typeof ours, { passkey: unknown }>;
      for (const [what, stated, changes, accepts] of assertions) {
        const sent = await authenticator.assert({ ...signIn, ...stated }, changes);
        const judged = await verifyAuthenticationResponse({
          response: JSON.parse(sent),
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: rpId,
          credential,
          requireUserVerification: true,
        }).then(({ verified }) => verified, () => false);
        const { userHandle } = authenticator;
        const known = present(readCeremonyResponse(sent));
        const { problem } = await verifyAssertion(known, passkey, { origin, userHandle });
        const isFlawless = what === "one without a flaw";
        assertEquals([what, judged, problem === undefined], [what, accepts, isFlawless]);
      }
    });
  }
});
