import type { Command, Option } from "../command_line/command.ts";
import type { StoreCall } from "./store_command.ts";

/** What a feature knows of a kind of client, so that nobody gives its settings one by one. */
export interface ClientTemplate {
  options: readonly Option[];
  example: string;
  /** Prints what there is, without a store. Returns false unless the command line asks for it. */
  list(...call: Parameters<Command["run"]>): Promise<boolean>;
  /** Returns what the command line asks for. */
  prepare(call: StoreCall): Promise<PreparedClient | undefined>;
}

/** A client that a template knows. */
export interface PreparedClient {
  settings: Readonly<Record<string, unknown>>;
  isConfidential: boolean;
  /** Returns what to print besides, as a text for people and for programs. */
  describe(secret: string | undefined): { text: string; result: object };
}
