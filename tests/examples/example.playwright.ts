import { expect, test } from "hallpass/playwright";
import { beginLogin, redirectUri } from "./app.ts";

const clients = [{ id: "web", redirectUris: [redirectUri] }];
test.use({ hallpass: { issuer: "https://id.example.com", clients } });

test("signs Alice in on the real pages, without a port", async ({ page, lab }) => {
  await lab.route(page);
  await page.route(`${redirectUri}*`, (route) => route.fulfill({ body: "Welcome back" }));

  const login = await beginLogin(lab.issuer, lab.fetch);
  await page.goto(login.url);
  await page.getByLabel("User name").fill("alice");
  await page.getByLabel("Password").fill("alice");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByText("Welcome back")).toBeVisible();

  expect((await login.finish(page.url())).sub).toBe("alice");
});
