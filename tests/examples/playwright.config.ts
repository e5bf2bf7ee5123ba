import { defineConfig } from "@playwright/test";

// Uses the Chromium of this machine. Remove this line to use the one that Playwright downloads.
export default defineConfig({
  testMatch: "example.playwright.ts",
  use: { launchOptions: { executablePath: process.env.CHROMIUM } },
});
