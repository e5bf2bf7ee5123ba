import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Table } from "../../src/server/issuer/records/table.ts";
import { findActiveToken } from "../../src/server/issuer/tokens/active_tokens.ts";
import { openKit, spa } from "../support/kit.ts";
import { present } from "../support/present.ts";

/** What a code or a token can say about the session that it ends with. */
const named: Record<string, (sid: string) => string | undefined> = {
  "its session": (sid) => sid,
  "no session, as in a row of an earlier version": () => undefined,
  "another session, which has not ended": () => "another",
};

/** Writes another session into a row. */
async function nameSession<T>(table: Table<T>, id: string, sid: string | undefined) {
  const { value, expiresAt } = present(await table.get(id));
  await table.put(id, { ...value, sid }, expiresAt);
}

/** A server with a code, whose session can be ended. */
async function openFlow() {
  const kit = openKit({ clients: [spa({ accessTokenFormat: "opaque" })] });
  const { context: { records } } = kit.server;
  const code = present((await kit.authorize({ scope: "openid profile" })).get("code"));
  const row = present(await records.codes.get(code));
  const { sid = "" } = present(await records.authorizations.find(row.value.authorization));
  const endSession = () => records.endedSessions.put(sid, null, row.expiresAt + 1e9);
  return { kit, records, code, sid, endSession };
}

describe("What is issued in a session", () => {
  for (const [what, sessionFor] of Object.entries(named)) {
    it(`ends with it, if its row names ${what}`, async () => {
      const { kit, records, code, sid, endSession } = await openFlow();
      const { context } = kit.server;
      await nameSession(records.codes, code, sessionFor(sid));
      const { body } = await kit.redeem(code);
      const [access, refresh] = [present(body.access_token), present(body.refresh_token)];
      await nameSession(records.opaqueTokens, access, sessionFor(sid));
      await nameSession(records.refreshTokens, refresh, sessionFor(sid));
      const kinds = async () =>
        await Promise.all(
          [access, refresh].map(async (token) => (await findActiveToken(context, token))?.kind),
        );
      assertEquals([await kinds(), await kinds()], [["access", "refresh"], ["access", "refresh"]]);
      await endSession();
      assertEquals(await kinds(), [undefined, undefined]);
      assertEquals((await kit.refresh(refresh)).body.error, "invalid_grant");
    });

    it(`yields nothing once it has ended, if the row of a code names ${what}`, async () => {
      const { kit, records, code, sid, endSession } = await openFlow();
      await nameSession(records.codes, code, sessionFor(sid));
      await endSession();
      assertEquals((await kit.redeem(code)).body.error, "invalid_grant");
    });
  }

  it("is decided anew, if a token that was seen is given to another authorization", async () => {
    const { kit, records, code } = await openFlow();
    const { context } = kit.server;
    const token = present((await kit.redeem(code)).body.access_token);
    const of = async () => (await findActiveToken(context, token))?.active?.authorization.id;
    const first = present(await of());
    const otherCode = present((await kit.authorize({ scope: "openid profile" })).get("code"));
    const other = present((await kit.redeem(otherCode)).body.access_token);
    const otherRow = present(await records.opaqueTokens.get(other));
    await records.opaqueTokens.put(token, otherRow.value, otherRow.expiresAt);
    await records.authorizations.delete(first);
    assertEquals(await of(), otherRow.value.claims.jti.split(".")[0]);
    await records.authorizations.delete(present(await of()));
    assertEquals(await of(), undefined);
  });
});
