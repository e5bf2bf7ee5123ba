import type { WrapperAnswers } from "../../server/issuer/wrapper_answers.ts";
import type { UnknownUsers } from "../sign_in/unknown_users.ts";

/** What the server of a lab asks around it. What the server itself does not know, its lab uses. */
export interface LabAnswers extends WrapperAnswers {
  /** What makes unknown users known; without it, the lab refuses them. */
  readonly unknownUsers?: UnknownUsers | undefined;
}
