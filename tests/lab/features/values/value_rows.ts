import type { Lab } from "../../../../src/lab/lab.ts";
import type { OperationRow } from "../../../support/operation_rows.ts";

/** Chooses what the operations list. */
export function useValues(lab: Lab): void {
  lab.values({ code: ["one", "two"], client: "web" });
}

/** The operations of chosen values. */
export const valueRows: Record<string, OperationRow> = {
  "POST /values": {
    bodies: [
      { code: ["one", "two"], state: "s" },
      { code: "abc", client: "demo-spa", times: 1 },
      { cod: "abc" },
      { code: "" },
    ],
    member: (lab, { body }) => lab.values(body),
  },
  "GET /values": { member: (lab) => lab.chosenValues.list() },
  "DELETE /values": { member: (lab) => lab.chosenValues.removeAll() },
};
