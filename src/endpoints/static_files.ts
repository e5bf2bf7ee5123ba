import copyScript from "../../static/copy.js" with { type: "text" };
import formPostScript from "../../static/form_post.js" with { type: "text" };
import guardScript from "../../static/guard.js" with { type: "text" };
import icon from "../../static/icon.svg" with { type: "text" };
import signedOutScript from "../../static/signed_out.js" with { type: "text" };
import style from "../../static/style.css" with { type: "text" };
import { publicResponse } from "../http/response.ts";
import { notFound } from "../http/router.ts";
import type { Context } from "../issuer/context.ts";
import { hour } from "../util/duration.ts";

interface StaticFile {
  text: string;
  type: string;
}

/** How long browsers may cache the files, in seconds. */
const maxAge = 1 * hour;

/**
 * The files that pages need. They are part of the program, so that a single binary contains them.
 */
const files: Record<string, StaticFile> = {
  "style.css": { text: style, type: "text/css; charset=utf-8" },
  "icon.svg": { text: icon, type: "image/svg+xml" },
  "copy.js": { text: copyScript, type: "text/javascript; charset=utf-8" },
  "guard.js": { text: guardScript, type: "text/javascript; charset=utf-8" },
  "form_post.js": { text: formPostScript, type: "text/javascript; charset=utf-8" },
  "signed_out.js": { text: signedOutScript, type: "text/javascript; charset=utf-8" },
};

/** Serves a file that pages need. */
export function staticFile(_ctx: Context, _request: Request, name: string): Response {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!file) throw notFound();
  return publicResponse(file.text, file.type, maxAge);
}
