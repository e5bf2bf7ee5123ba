import type { Config } from "../../server/features.ts";

/** The settings of the server in a file. Required members may be missing. */
export type ServerConfig = Omit<Partial<Config>, "store">;

/** Puts the content of files below a folder in the place of their paths. */
export type SettingReader = (server: ServerConfig, folder: string) => Promise<ServerConfig>;
