import { defineConfig } from "@playwright/test";

// The Chromium of this machine; Playwright's own needs no such line.
export default defineConfig({
  testMatch: "example.playwright.ts",
  use: { launchOptions: { executablePath: process.env.CHROMIUM } },
});
