import type { VNode } from "preact";
import type { FormParameters } from "../../server/protocol/form_parameters.ts";
import type { LabError } from "../util/lab_error.ts";

/** The field for the claims of a user whom the lab does not know. */
export const claimsField = "claims";

/** What a lab does about users whom it does not know. */
export interface UnknownUsers {
  /**
   * Makes a user known by a name, with what the form of the sign-in page has about the user.
   *
   * @throws {LabError} There cannot be such a user.
   */
  admit(name: string, form?: FormParameters): Promise<void>;
  /** Returns the fields of that form; after a refusal with what was sent, and why. */
  fields(sent?: FormParameters, problem?: LabError): Promise<VNode>;
}
