import type { LabConfig } from "../lab_server/lab_config.ts";
import { labNotice } from "../lab_server/lab_server.ts";
import type { ReplaceableServer } from "../lab_server/replaceable_server.ts";
import type { UnaskedUsers } from "../sign_in/answer_for_user.ts";
import { createHandsFree, type HandsFree, handsFreeNotice } from "../sign_in/hands_free.ts";

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
}

/** Creates the hands-free sign-in of a lab. */
export function createLabHandsFree(
  { signIn }: LabConfig,
  { server, config }: HandsFreeAround,
): HandsFree {
  return createHandsFree({
    signIn,
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
