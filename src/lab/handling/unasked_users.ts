import type { ResponseData } from "../../server/http/response_data.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import { labNotice } from "../lab_server/lab_server.ts";
import type { ReplaceableServer } from "../lab_server/replaceable_server.ts";
import { type Layer, respondWith, unless } from "../layers/layer.ts";
import type { ChangeHistory } from "../recording/change_history.ts";
import { checkUnaskedUser, type UnaskedUsers } from "../sign_in/answer_for_user.ts";
import { createHandsFree, type HandsFree, handsFreeNotice } from "../sign_in/hands_free.ts";
import { LabError } from "../util/lab_error.ts";
import type { RespondingParts } from "./lab_parts.ts";

/** What decides whom no page asks: the settings of a lab, and who signs in hands-free. */
interface UnaskedParts {
  readonly config: () => LabConfig;
  readonly handsFree: Pick<HandsFree, "next" | "take" | "skipsConsent">;
  readonly unaskedSessions: Pick<ReadonlyMap<string, string>, "has">;
}

/** Where the hands-free sign-in of a lab belongs. */
interface HandsFreeAround {
  server: ReplaceableServer;
  config: () => LabConfig;
  history: ChangeHistory;
}

/** Creates the hands-free sign-in of a lab. */
export function createLabHandsFree(
  { signIn }: LabConfig,
  { server, config, history }: HandsFreeAround,
): HandsFree {
  return createHandsFree({
    ...{ signIn, history },
    skipsConsent: () => config().consent === "skip",
    userNames: () => userNamesOf(server),
    takesAnyUser: server.unknownUsers !== undefined,
    context: () => server.current().context,
  });
}

/** Returns who signs in without a page at the moment. */
export function unaskedUsers(
  { handsFree, unaskedSessions, config }: UnaskedParts,
): UnaskedUsers {
  return { handsFree, unaskedSessions, signInByHint: config().signInByHint ?? false };
}

/** Returns the line at the top of every page, which says who signs in without one. */
export function noticeOf({ handsFree, config }: UnaskedParts): string {
  const { notice = labNotice } = config();
  const skipped = { user: undefined, ...handsFree.next(), skipsConsent: handsFree.skipsConsent() };
  return [notice, handsFreeNotice(skipped)].filter((each) => each !== undefined).join(" ");
}

export function userNamesOf({ users }: ReplaceableServer): string[] {
  return users.list().map(({ name }) => name);
}

/** Creates the layer that refuses requests which would sign in a user who does not exist. */
export function createUnaskedLayer(parts: RespondingParts): Layer {
  return unless(
    ({ request: { endpoint } }) => endpoint !== "authorize" && endpoint !== "device",
    async (exchange, next) => {
      const { server: { context }, request } = exchange;
      try {
        const { unknownUsers } = parts.server;
        await checkUnaskedUser(context, { ...unaskedUsers(parts), unknownUsers }, request);
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
