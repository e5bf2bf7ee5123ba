import { assertEquals } from "@std/assert";
import { describe } from "node:test";
import { itWith } from "../support/it_with.ts";
import { endToken, isActive, type Kit, openKit } from "../support/kit.ts";

const it = itWith({ withKit: () => openKit() });

const hour = 60 * 60;
const day = 24 * hour;
const year = 365 * day;

/** Jumps of the server's clock in seconds; afterwards it returns to the right time. */
const jumps = [-10 * year, -30 * day, -day, -hour, hour, 12 * hour, 20 * hour];

/** Jumps after which sweeping may have forgotten even the marks of used and revoked tokens. */
const longJumps = [30 * day, 10 * year];

/** Makes the clock jump, lets the server work and sweep at that time, and sets it right again. */
async function jumpAndReturn(kit: Kit, seconds: number): Promise<void> {
  kit.clock.advance(seconds);
  await kit.tokens();
  while (await kit.server.context.records.sweep() > 0);
  kit.clock.advance(-seconds);
}

/** Uses a code and a refresh token, and revokes an authorization. */
async function useAndRevoke(kit: Kit) {
  const code = await kit.code();
  const first = (await kit.redeem(code)).body;
  const second = (await kit.refresh(first.refresh_token)).body;
  const revoked = await kit.tokens();
  await endToken(kit, revoked.refresh_token);
  return { code, used: first.refresh_token, active: second.access_token, revoked };
}

describe("A clock that jumps and is set right again", () => {
  for (const jump of [...jumps, ...longJumps]) {
    it.withKit(`brings nothing back: ${jump / hour} hours`, async (kit) => {
      const { code, used, revoked } = await useAndRevoke(kit);
      await jumpAndReturn(kit, jump);
      assertEquals(await isActive(kit, revoked.access_token), false);
      assertEquals((await kit.refresh(revoked.refresh_token)).body.error, "invalid_grant");
      assertEquals((await kit.refresh(used)).body.error, "invalid_grant");
      assertEquals((await kit.redeem(code)).body.error, "invalid_grant");
    });

    it.withKit(`never causes a 5xx, and users can sign in: ${jump / hour} hours`, async (kit) => {
      await useAndRevoke(kit);
      await jumpAndReturn(kit, jump);
      assertEquals((await kit.tokens()).token_type, "Bearer");
      assertEquals(kit.events.filter(({ type }) => /\.failed$/.test(type)), []);
    });
  }

  for (const jump of jumps) {
    it.withKit(`keeps a single token revoked: ${jump / hour} hours`, async (kit) => {
      const { access_token } = await kit.tokens();
      await endToken(kit, access_token);
      await jumpAndReturn(kit, jump);
      assertEquals(await isActive(kit, access_token), false);
    });
  }

  for (const jump of jumps.filter((seconds) => seconds <= hour)) {
    it.withKit(`takes no token away that is valid: ${jump / hour} hours`, async (kit) => {
      const { active } = await useAndRevoke(kit);
      await jumpAndReturn(kit, jump);
      assertEquals(await isActive(kit, active), true);
    });
  }
});
