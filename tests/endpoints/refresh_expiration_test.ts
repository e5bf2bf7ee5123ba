import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openKit, read, service } from "../support/kit.ts";

const day = 86_400;
const hour = 3600;
const lifetimes = { refreshToken: 10 * day, refreshIdle: 7 * day };

function endsOf({ refresh_token_timeout, authorization_expires_in }: Record<string, unknown>) {
  return [refresh_token_timeout, authorization_expires_in];
}

describe("The end of a refresh token (draft-ietf-oauth-refresh-token-expiration-03)", () => {
  it("comes with each one: how long it may stay unused, and how long the authorization lasts", async () => {
    const kit = openKit({ lifetimes });
    const first = await kit.tokens();
    assertEquals(endsOf(first), [7 * day, 10 * day + hour]);
    kit.clock.advance(2 * day);
    const refresh = { grant_type: "refresh_token", client_id: "demo-spa" };
    const second = (await kit.token({ ...refresh, refresh_token: first.refresh_token })).body;
    assertEquals(endsOf(second), [7 * day, 8 * day + hour]);
    kit.clock.advance(5 * day);
    const third = (await kit.token({ ...refresh, refresh_token: second.refresh_token })).body;
    assertEquals(endsOf(third), [3 * day, 3 * day + hour]);
    kit.clock.advance(3 * day);
    assertEquals(
      (await kit.token({ ...refresh, refresh_token: third.refresh_token })).body.error,
      "invalid_grant",
    );
  });

  it("is unchanged if a client that lost the response asks again", async () => {
    const kit = openKit({ lifetimes, refreshReuseGrace: "30s" });
    const { refresh_token } = await kit.tokens();
    const refresh = () =>
      kit.token({ grant_type: "refresh_token", client_id: "demo-spa", refresh_token });
    await refresh();
    kit.clock.advance(20);
    assertEquals(endsOf((await refresh()).body), [7 * day - 20, 10 * day + hour - 20]);
  });

  it("comes with a token that is kept as well", async () => {
    const kit = openKit({ lifetimes, refreshTokens: "keep" });
    const secret = { client_id: "demo-web", client_secret: "demo-web-secret" };
    const { refresh_token } =
      (await kit.redeem(await kit.code({ client_id: "demo-web" }), secret)).body;
    kit.clock.advance(day);
    const { body } = await kit.token({ grant_type: "refresh_token", refresh_token, ...secret });
    assertEquals([body.refresh_token, ...endsOf(body)], [undefined, 7 * day, 9 * day + hour]);
  });

  it("is shown by introspection, which does not extend it", async () => {
    const kit = openKit({ lifetimes });
    const { refresh_token, access_token } = await kit.tokens();
    kit.clock.advance(day);
    const introspect = async (token: string) =>
      (await read(await kit.post("/oauth2/introspect", { token }, service))).body;
    assertEquals(endsOf(await introspect(refresh_token)), [6 * day, 9 * day + hour]);
    assertEquals(endsOf(await introspect(refresh_token)), [6 * day, 9 * day + hour]);
    assertEquals((await introspect(access_token)).refresh_token_timeout, undefined);
  });

  it("is absent without a refresh token", async () => {
    const kit = openKit();
    const { body } = await kit.token({ grant_type: "client_credentials" }, service);
    assertEquals(endsOf(body), [undefined, undefined]);
  });

  it("is announced in the metadata where there are refresh tokens", () => {
    const announced = (grantTypes?: string[]) =>
      openKit({ grantTypes, clients: [] }).server.context.metadata()
        .refresh_token_expiration_types_supported;
    assertEquals(announced(["authorization_code", "refresh_token"]), [
      "authorization",
      "token_timeout",
    ]);
    assertEquals(announced(["authorization_code"]), undefined);
  });
});
