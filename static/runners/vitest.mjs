import { vitestFixtures } from "./fixtures.mjs";
import { loadError } from "./load_error.js";

const { expect, test: base } = await import("vitest").catch((cause) => {
  throw loadError(cause, "vitest", "vitest");
});

export const test = base.extend(vitestFixtures());
export const it = test;
export { expect };
