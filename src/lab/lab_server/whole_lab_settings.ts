import { enterpriseAtStart } from "../features/enterprise/lab_server.ts";

/**
 * The settings by which features make more of a lab than its server, and why a running lab does not
 * take them. No tenant has one.
 */
export const wholeLabSettings: Readonly<Record<string, string>> = {
  ...enterpriseAtStart,
};
