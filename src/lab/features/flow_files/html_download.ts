import { textDownload } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";

/** Responds with the file of a flow, which a browser saves. */
export function htmlDownload(html: string, flow: string): ResponseData {
  return textDownload(html, {
    contentType: "text/html; charset=utf-8",
    fileName: `${flow}.html`,
  });
}
