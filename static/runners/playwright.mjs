import entry from "./playwright.js";
export const { expect, test } = entry;
