import type { ClientConfig } from "../../../server/features.ts";
import type { Context } from "../../../server/issuer/context.ts";
import type { Content } from "../../../server/pages/frame.tsx";
import type { EndpointSource } from "../../dialect/lab_endpoints.ts";

/** A command that does something in the role of a client. */
export interface ClientCommand {
  what: string;
  text: string;
  /** What else there is to know. */
  note?: Content;
}

/** What commands are made of. */
export interface CommandSource extends EndpointSource {
  readonly context: Context;
}

/** Returns the command of a client, or none. */
export type MakeCommand = (
  source: CommandSource,
  client: ClientConfig,
) => ClientCommand[] | Promise<ClientCommand[]>;
