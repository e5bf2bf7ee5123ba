import { expect, test } from "@playwright/test";
import { hallpass } from "hallpass/testing";
import { beginLogin, redirectUri } from "./app.ts";

test("signs Alice in on the real pages, without a port", async ({ page }) => {
  await using lab = await hallpass({ clients: [{ id: "web", redirectUris: [redirectUri] }] });
  await page.route(`${lab.issuer}/**`, lab.route);
  await page.route(`${redirectUri}*`, (route) => route.fulfill({ body: "Welcome back" }));

  const login = await beginLogin(lab.issuer, lab.fetch);
  await page.goto(login.url);
  await page.getByLabel("User name").fill("alice");
  await page.getByLabel("Password").fill("alice");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByText("Welcome back")).toBeVisible();

  expect((await login.finish(page.url())).sub).toBe("alice");
  lab.assertClean();
});
