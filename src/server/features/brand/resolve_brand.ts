import type { ReportProblem } from "../../config/problems.ts";
import { type BrandSettings, defaultBrand } from "../../pages/brand.ts";
import { type StaticContent, toStaticFile } from "../../pages/static_files.ts";
import { ownMember } from "../../util/values/members.ts";
import { accentProblem, accentStyle, isColor } from "./accent.ts";
import type { BrandConfig } from "./config.ts";

const kilobyte = 1024;
const maxFileLength = 512 * kilobyte;

/** The images that a browser shows, by their media type. */
const extensions: Readonly<Record<string, string>> = {
  "image/svg+xml": "svg",
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
};

/** Reports what of a brand cannot be shown. */
export function checkBrand(
  { accent, logo, stylesheet }: BrandConfig = {},
  report: ReportProblem,
): void {
  const unreadable = accent !== undefined && isColor(accent) ? accentProblem(accent) : undefined;
  if (unreadable) report("brand.accent", unreadable);
  if (logo !== undefined && !readLogo(logo)) {
    report("brand.logo", "must be SVG, or a data: URL of an SVG, PNG, JPEG or WebP image");
  }
  if (stylesheet !== undefined && !isStylesheet(stylesheet)) {
    report("brand.stylesheet", "must be CSS");
  }
  for (const [name, text = ""] of Object.entries({ logo, stylesheet })) {
    if (text.length > maxFileLength) {
      report(`brand.${name}`, `has more than ${maxFileLength} bytes`);
    }
  }
}

/** Returns what the pages show of a brand, with the files that the server serves for it. */
export function brandOf({ accent, logo, stylesheet, ...texts }: BrandConfig = {}): BrandSettings {
  const image = logo === undefined ? undefined : readLogo(logo);
  const rules = [accent && accentStyle(accent), stylesheet].filter((part) => part !== undefined);
  return {
    ...texts,
    name: texts.name ?? defaultBrand.name,
    logo: image && toStaticFile(`logo.${image.extension}`, image.content),
    stylesheet: rules.length > 0 ? toStaticFile("brand.css", rules.join("\n")) : undefined,
  };
}

/** Whether a text is CSS, as opposed to the path of a file. */
export function isStylesheet(text: string): boolean {
  return text.includes("{");
}

/** Whether a text is an image, as opposed to the path of a file. */
export function isImage(text: string): boolean {
  return text.startsWith("data:") || text.trimStart().startsWith("<");
}

function readLogo(text: string): { extension: string; content: StaticContent } | undefined {
  if (!text.startsWith("data:")) {
    return /<svg[\s>]/.test(text) ? { extension: "svg", content: text } : undefined;
  }
  const [, type = "", encoding, data = ""] = /^data:([^;,]*)[^,]*?(;base64)?,(.*)$/s.exec(text) ??
    [];
  const extension = ownMember(extensions, type);
  if (extension === undefined) return undefined;
  const content = encoding ? decodeBase64(data) : decodePercent(data);
  return content === undefined ? undefined : { extension, content };
}

function decodeBase64(data: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function decodePercent(data: string): string | undefined {
  try {
    return decodeURIComponent(data);
  } catch {
    return undefined;
  }
}
