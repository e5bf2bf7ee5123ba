import type { VNode } from "preact";
import type { FormParameters } from "../../server/protocol/form_parameters.ts";

/** What a lab does about users whom it does not know. */
export interface UnknownUsers {
  /**
   * Makes a user known by a name, with what the form of the sign-in page has about the user.
   *
   * @throws {LabError} There cannot be such a user.
   */
  admit(name: string, form?: FormParameters): Promise<void>;
  /** Returns the fields of that form. */
  fields(): Promise<VNode>;
}
