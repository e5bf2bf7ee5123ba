import { shortHash } from "../util/crypto/hash.ts";

/** A file that pages load. Its name contains a hash of its content, so it never changes. */
export interface StaticFile {
  /** The name with the hash: "style.1x2y3z.css". */
  path: string;
  content: StaticContent;
  type: string;
}

/** The content of a file: text, or the bytes of an image. */
export type StaticContent = string | Uint8Array<ArrayBuffer>;

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
};

/** Returns files by their plain names. */
export function toStaticFiles(
  texts: Readonly<Record<string, string>>,
): ReadonlyMap<string, StaticFile> {
  return new Map(
    Object.entries(texts).map(([name, text]) => [
      name,
      toStaticFile(name, withoutComments(name, text)),
    ]),
  );
}

/** Returns a style sheet or a script without comments and spaces that no browser needs. */
function withoutComments(name: string, text: string): string {
  if (name.endsWith(".css")) {
    return text.replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, "").replace(/\s*([{};])\s*/g, "$1");
  }
  // A comment of a script has lines to itself. Elsewhere, "//" may be part of a string.
  return text.replace(/^\s*(?:\/\/.*|\/\*\*.*\*\/)$/gm, "").replace(/\n\s+/g, "\n");
}

export function toStaticFile(name: string, content: StaticContent): StaticFile {
  const dot = name.lastIndexOf(".");
  const extension = name.slice(dot + 1);
  const path = `${name.slice(0, dot)}.${shortHash(content)}.${extension}`;
  return { path, content, type: types[extension] ?? "text/plain; charset=utf-8" };
}
