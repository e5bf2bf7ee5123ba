import type { Toolchain } from "./entry.ts";

export const javascript: Toolchain = {
  folder: "javascript",
  install: ["npm", "ci", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"],
  pinned: ["package-lock.json"],
  probe: ["node", "--version"],
};
