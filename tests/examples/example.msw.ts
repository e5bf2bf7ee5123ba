import { hallpass } from "hallpass/testing";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import assert from "node:assert/strict";
import { it } from "node:test";
import { beginLogin, redirectUri } from "./app.ts";

it("signs Alice in through MSW, without a change to the application", async () => {
  await using lab = await hallpass({ clients: [{ id: "web", redirectUris: [redirectUri] }] });
  const network = setupServer(
    http.all(
      `${lab.issuer}/*`,
      ({ request }) => lab.fetch(request).catch(() => HttpResponse.error()),
    ),
  );
  network.listen();
  try {
    const login = await beginLogin(lab.issuer);
    const { callback } = await lab.authorize(login.url, { user: "alice" });
    assert.equal((await login.finish(callback)).sub, "alice");

    lab.fault("userinfo.dropped");
    const again = await beginLogin(lab.issuer);
    const { profile } = await again.finish(
      (await lab.authorize(again.url, { user: "alice" })).callback,
    );
    await assert.rejects(profile);
  } finally {
    network.close();
  }
});
