import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import AppleStrategy from "passport-apple";
import verifyAppleIdToken from "verify-apple-id-token";
import {
  downloadedKey,
  fieldsOf,
  keyId,
  openApple,
  servicesId,
  teamId,
} from "../../support/apple_login.ts";
import { callback } from "../../support/provider_login.ts";
import { runStrategy } from "./passport.ts";

type Form = { appleProfile: { name: unknown } };

/** Keeps what the form of Apple has. Passport passes all only to a function of six parameters. */
function keepForm(
  { appleProfile: { name } }: Form,
  _accessToken: string,
  _refreshToken: string,
  idToken: string,
  _profile: unknown,
  done: (error: unknown, user: unknown) => void,
): void {
  done(null, { name, idToken });
}

describe("Clients of Apple, with the host that they have in their code", () => {
  it("Z1: passport-apple and verify-apple-id-token sign in cleanly, with a form", async () => {
    await using lab = await openApple({ hosts: true });
    using _ = lab.intercept({ http: true });
    const settings = { clientID: servicesId, teamID: teamId, keyID: keyId, callbackURL: callback };
    const strategy = new AppleStrategy({ ...settings, privateKeyString: downloadedKey }, keepForm);
    const { redirect = "" } = await runStrategy(strategy, { query: {} });
    const body = await fieldsOf(await lab.fetch(redirect));
    const { user, error } = await runStrategy(strategy, { query: {}, body });
    assertEquals(error, undefined);
    const { name, idToken } = user as { name: unknown; idToken: string };
    assertEquals(name, { firstName: "Alice", lastName: "Adler" });
    const claims = await verifyAppleIdToken.default({ idToken, clientId: servicesId });
    assertEquals(claims.email, "alice@example.com");
    lab.assertClean();
  });
});
