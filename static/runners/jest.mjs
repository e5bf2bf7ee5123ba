import entry from "./jest.js";
export const { expect, it, test, testWith } = entry;
