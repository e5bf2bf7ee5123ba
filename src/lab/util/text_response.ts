import { prefers } from "../../server/http/accept.ts";
import type { RequestHeaders } from "../../server/http/incoming_request.ts";
import type { HeaderList, ResponseData } from "../../server/http/response_data.ts";
import { printableLines } from "../../server/util/text/printable.ts";

/** Whether a request asks for lines of text, which a helper of a test prints as they are. */
export function wantsText(headers: RequestHeaders): boolean {
  return prefers(headers, "text/plain", "application/json");
}

/** Responds as the program prints: a terminal may show it, and no browser takes it for a page. */
export function textResponse(text: string, status = 200, headers: HeaderList = []): ResponseData {
  return {
    status,
    headers: [
      ["Content-Type", "text/plain; charset=utf-8"],
      ["Cache-Control", "no-store"],
      ["X-Content-Type-Options", "nosniff"],
      ...headers,
    ],
    body: `${printableLines(text)}\n`,
  };
}
