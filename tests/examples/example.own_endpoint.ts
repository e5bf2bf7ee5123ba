import { hallpass, type TestLab } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";
import { beginLogin, redirectUri } from "./app.ts";

it("renames a user by the provider's management API, which is no part of OAuth", async () => {
  await using lab: TestLab = await hallpass({
    clients: [{ id: "web", redirectUris: [redirectUri] }],
    routes: [{
      method: "PUT",
      path: "/api/v2/users/:name",
      kind: "api",
      handler: async (_ctx, request, name) => {
        const claims = await request.json();
        await lab.users.put({ name, claims });
        return Response.json({ user_id: name, ...claims });
      },
    }],
  });
  const signIn = async () => {
    const login = await beginLogin(lab.issuer, lab.fetch);
    const { callback } = await lab.authorize(login.url, { user: "alice" });
    return await (await login.finish(callback)).profile();
  };
  assert.equal((await signIn()).name, "Alice Adler");

  const body = JSON.stringify({ name: "Alice Abel" });
  const url = `${lab.issuer}/api/v2/users/alice`;
  const response = await lab.fetch(url, { method: "PUT", body });
  assert.deepEqual(await response.json(), { user_id: "alice", name: "Alice Abel" });
  assert.equal((await signIn()).name, "Alice Abel");
});
