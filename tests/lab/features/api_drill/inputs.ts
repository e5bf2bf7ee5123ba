import type { Lab } from "../../../../src/lab/lab.ts";
import type { ApiDrill } from "../../../../src/lab/testing/mod.ts";

/** What `POST /drill` does with an API, for the tests of all operations. */
export const apiDrillInputs = {
  member: "api",
  bodies: [
    { api: { request: "https://api.example/orders" } },
    { api: { request: "/orders" } },
    { api: { request: "https://hallpass.test/orders" } },
    { api: { request: "http://localhost:3001/orders", only: ["nothing"] } },
  ],
  run: (lab: Lab, api: unknown) => lab.drillApi(api as ApiDrill),
};
