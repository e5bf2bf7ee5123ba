import type { ServerHooks } from "../../server/issuer/server_hooks.ts";
import type { UnknownUsers } from "../sign_in/unknown_users.ts";

/** What the server of a lab asks around it. What the server itself does not know, its lab uses. */
export interface LabAnswers extends ServerHooks {
  /** What makes unknown users known; without it, the lab refuses them. */
  readonly unknownUsers?: UnknownUsers | undefined;
}
