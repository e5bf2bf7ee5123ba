import type { ResponseData } from "../../server/http/response_data.ts";
import { type Layer, respondWith, unless } from "../layers/layer.ts";
import { checkUnaskedUser } from "../sign_in/answer_for_user.ts";
import { LabError } from "../util/lab_error.ts";
import type { LabParts } from "./lab_parts.ts";

/** Creates the layer that refuses requests which would sign in a user who does not exist. */
export function createUnaskedLayer(parts: LabParts): Layer {
  return unless(
    ({ request: { endpoint } }) => endpoint !== "authorize" && endpoint !== "device",
    async (exchange, next) => {
      const { server: { context }, request } = exchange;
      try {
        const { unknownUsers } = parts.server;
        await checkUnaskedUser(context, { ...parts.unasked(), unknownUsers }, request);
      } catch (cause) {
        if (!(cause instanceof LabError)) throw cause;
        return await respondWith(exchange, plainTextResponse(cause.message, 400));
      }
      return await next();
    },
  );
}

function plainTextResponse(text: string, status: number): ResponseData {
  return {
    status,
    headers: [
      ["Content-Type", "text/plain; charset=utf-8"],
      ["Cache-Control", "no-store"],
      ["X-Content-Type-Options", "nosniff"],
    ],
    body: text,
  };
}
