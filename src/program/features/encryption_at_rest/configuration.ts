import type { ServerConfig } from "../../configuration/setting_reader.ts";

/** Whether the store of a server has its keys encrypted. */
export function encryptsKeys({ secret }: ServerConfig): boolean {
  return secret !== undefined;
}
