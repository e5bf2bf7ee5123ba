import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const hookFixtures: LabFixtures = {
  onlyInTypeScript: { on: "a hook is a function" },
  operations: {},
  use(lab) {
    lab.on("response", () => {}, { client: "web" });
  },
  stateOf: (lab) => lab.remarks().idleFaults.filter((name) => name.startsWith("hook.")),
};
