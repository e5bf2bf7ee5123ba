import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const mcpFixtures: LabFixtures = {
  operations: {},
  onlyInTypeScript: { mcp: "a tool is a function" },
};
