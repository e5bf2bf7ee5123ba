import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import type { BrandConfig, BrandSetting } from "../../../server/features/brand/config.ts";
import { isImage, isStylesheet } from "../../../server/features/brand/resolve_brand.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { isObject } from "../../../server/util/text/json.ts";
import type { SettingReader } from "../../configuration/program_config.ts";
import { UsageError } from "../../terminal/exit_code.ts";

/** Finds a file, and notes that it is read. */
type Locate = (path: string) => string;

const imageTypes: Readonly<Record<string, string>> = {
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
};

/**
 * Reads the files that a brand names, by paths below the folder of the configuration. The rest of a
 * malformed brand is left to the checks of the server.
 */
export const readBrandFiles: SettingReader = async (server, folder, noteFile) => {
  const { brand }: BrandSetting = server;
  if (!isObject(brand)) return server;
  const { logo, stylesheet, ...others }: BrandConfig = brand;
  const locate: Locate = (path) => {
    const located = resolve(folder, path);
    noteFile(located);
    return located;
  };
  const read: BrandConfig = {
    ...others,
    ...logo !== undefined && { logo: await readLogo(logo, locate) },
    ...stylesheet !== undefined && { stylesheet: await readStylesheet(stylesheet, locate) },
  };
  return { ...server, brand: read };
};

async function readLogo(logo: string, locate: Locate): Promise<string> {
  if (typeof logo !== "string" || logo === "" || isImage(logo)) return logo;
  const type = imageTypes[extname(logo).toLowerCase()];
  if (type === undefined) {
    const known = Object.keys(imageTypes).join(", ");
    throw new UsageError(`The file of brand.logo must end in one of: ${known}. It is '${logo}'.`);
  }
  return `data:${type};base64,${await read("brand.logo", locate(logo), "base64")}`;
}

async function readStylesheet(stylesheet: string, locate: Locate): Promise<string> {
  if (typeof stylesheet !== "string" || stylesheet === "" || isStylesheet(stylesheet)) {
    return stylesheet;
  }
  return await read("brand.stylesheet", locate(stylesheet), "utf8");
}

async function read(setting: string, path: string, encoding: "base64" | "utf8"): Promise<string> {
  try {
    return await readFile(path, encoding);
  } catch (cause) {
    throw new UsageError(`The file of ${setting} cannot be read: ${messageOf(cause)}`);
  }
}
