import copyScript from "../../../static/copy.js" with { type: "text" };
import formPostScript from "../../../static/form_post.js" with { type: "text" };
import guardScript from "../../../static/guard.js" with { type: "text" };
import icon from "../../../static/icon.svg" with { type: "text" };
import signedOutScript from "../../../static/signed_out.js" with { type: "text" };
import style from "../../../static/style.css" with { type: "text" };
import { type StaticFile, toStaticFiles } from "./static_files.ts";

/**
 * The files that pages need, by their plain names. They are part of the program, so that a single
 * binary contains them, and load with the first page.
 */
export const staticFiles: ReadonlyMap<string, StaticFile> = toStaticFiles({
  "style.css": style,
  "icon.svg": icon,
  "copy.js": copyScript,
  "guard.js": guardScript,
  "form_post.js": formPostScript,
  "signed_out.js": signedOutScript,
});

/** Returns the URL path of one of these files, by its plain name. */
export function staticPath(base: string, name: string): string {
  return `${base}/static/${staticFiles.get(name)?.path ?? name}`;
}
