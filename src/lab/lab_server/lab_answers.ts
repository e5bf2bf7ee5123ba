import type { UserConfig } from "../../server/config/user_config.ts";
import type { WrapperAnswers } from "../../server/issuer/wrapper_answers.ts";
import type { InternalServer } from "../../server/server.ts";
import type { UnknownUsers } from "../sign_in/unknown_users.ts";
import type { Directory } from "./directory.ts";

/** What the server of a lab asks around it. What the server itself does not know, its lab uses. */
export interface LabAnswers extends WrapperAnswers {
  /** What makes unknown users known; without it, the lab refuses them. */
  readonly unknownUsers?: CopiedUnknownUsers | undefined;
}

/** A server, and its users. */
export interface ServerWithUsers {
  /** Returns the server with the current users and clients. */
  current(): InternalServer;
  readonly users: Directory<UserConfig>;
}

/** What a lab does about unknown users, which another lab can do as well. */
export interface CopiedUnknownUsers extends UnknownUsers {
  /** Returns the same for another server, whose users this one does not know. */
  copy(server: () => ServerWithUsers): CopiedUnknownUsers;
}
