import { expect, test as base } from "vitest";
import { vitestFixtures } from "./fixtures.mjs";

export const test = base.extend(vitestFixtures());
export const it = test;
export { expect };
