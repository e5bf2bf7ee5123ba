import { accountPageRows } from "../../features/account/rule_rows.ts";
import type { BrokenRules } from "./rule_lab.ts";

/** The rules of the pages for users, whose requests a lab does not record. */
export const pageRows: BrokenRules = {
  ...accountPageRows,
  "form.token": (kit) => kit.post("/sign-out", {}),
};
