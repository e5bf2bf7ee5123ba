import makeFetchCookie from "fetch-cookie";
import { hallpass } from "hallpass/testing";
import next from "next";
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { it } from "node:test";

it("signs Alice in to a Next.js application", async () => {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const site = `http://localhost:${port}`;
  const redirectUris = [`${site}/api/auth/callback/company`];
  const lab = await hallpass({
    listen: true,
    signIn: "alice",
    clients: [{ id: "web", secret: "web-secret", redirectUris }],
  });
  Object.assign(process.env, { ISSUER: lab.issuer, CLIENT_SECRET: "web-secret" });
  const application = next({ dev: true, port });
  await application.prepare();
  server.on("request", application.getRequestHandler());

  const page = await makeFetchCookie(fetch)(`${site}/login`);
  assert.match(await page.text(), /<h1>Hello Alice Adler<\/h1>/);
  lab.assertClean();
  await application.close();
  server.close();
  await lab.close();
});
