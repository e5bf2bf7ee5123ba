import type { Duration } from "../../server/util/time/duration.ts";
import { readSpan } from "../util/clock.ts";
import { findForm, type HtmlForm } from "../util/html_forms.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import { shownPagesHeader, type SignInDetails } from "../util/user_choices.ts";
import type { LoadedPage } from "./authorization_result.ts";

/** What a user does on the pages of a flow. */
export interface UserActions extends SignInDetails {
  /** The name of the user who signs in. */
  user?: string | undefined;
  /** The password to sign in with; without one, a click on the user signs in. */
  password?: string | undefined;
  /**
   * What the user decides on the consent page.
   *
   * @default "allow"
   */
  decision?: "allow" | "deny" | undefined;
  /**
   * The part of the scope that the user allows: the boxes that stay ticked on the consent page.
   * The client or a resource of the request needs `partialConsent`.
   *
   * @default all that is requested
   */
  grant?: readonly string[] | undefined;
  /**
   * How long the user looks at the first page before acting, on the clock of the lab: `"3m"`. The
   * result comes when a test has moved the clock that far, or so much time has passed.
   *
   * @default the user acts at once
   */
  after?: Duration | undefined;
}

type FormFields = Array<[name: string, value: string]>;

export interface FilledForm {
  form: HtmlForm;
  fields: FormFields;
}

/** The header for the pages that the lab must not skip, because the user has actions for them. */
export type ShownPages = Record<string, string>;

/** Returns when the user acts, in milliseconds; undefined if it is at once. */
export function actionTime(now: number, { after }: UserActions): number | undefined {
  if (after === undefined) return undefined;
  const span = readSpan(after);
  if (span >= 0) return now + span;
  throw new LabError("The 'after' must not be negative: a user acts now or later.");
}

export function shownPagesFor({ user, password, decision, grant, after }: UserActions): ShownPages {
  const decides = decision !== undefined || grant !== undefined;
  const acts = decides || [user, password, after].some((each) => each !== undefined);
  if (!acts) return {};
  return { [shownPagesHeader]: decides ? "sign-in, consent" : "sign-in" };
}

/** Returns the form that the user sends from a page, or undefined if there is no way forward. */
export function nextForm(
  { status, html, url }: LoadedPage,
  { user, password, decision = "allow", grant, acr, amr, authTime }: UserActions,
): FilledForm | undefined {
  if (status !== 200) return undefined;
  const consent = findForm(html, "consent", url);
  if (consent) {
    return { form: consent, fields: [["decision", decision], ...tickedBoxes(consent, grant)] };
  }
  const account = findForm(html, "select-account", url);
  if (account) return { form: account, fields: [["account", "this"]] };
  const device = findForm(html, "device", url);
  if (device) return fillDeviceForm(device, html);
  const signIn = findForm(html, "sign-in", url);
  if (!signIn || user === undefined) return undefined;
  const fields: FormFields = password === undefined
    ? [["one_click", user]]
    : [["username", user], ["password", password]];
  const details = Object.entries({ acr, amr: amr?.join(" "), auth_time: authTime })
    .filter((each): each is [string, string] => each[1] !== undefined);
  return { form: signIn, fields: [...fields, ...details] };
}

/** Returns the boxes of the consent page that are ticked: all of them, unless a test names some. */
function tickedBoxes({ hidden }: HtmlForm, grant: readonly string[] | undefined): FormFields {
  const choices = hidden.find(([name]) => name === "choices")?.[1].split(" ") ?? [];
  if (grant && choices.length === 0) {
    throw new LabError(
      "The consent page has no boxes for the 'grant'. Set partialConsent: true for the client or " +
        "a resource of the request.",
    );
  }
  const unknown = grant?.find((token) => token !== "openid" && !choices.includes(token));
  if (unknown !== undefined) throw unknownName("box on the consent page", unknown, choices);
  const ticked = choices.filter((token) => grant?.includes(token) !== false);
  return ticked.map((token): [string, string] => ["scope", token]);
}

/** Confirms the code that came in the link. */
function fillDeviceForm(form: HtmlForm, html: string): FilledForm {
  const code = /<input id="user_code"[^>]* value="([^"]+)"/.exec(html)?.[1];
  if (code === undefined) {
    throw new LabError("The page asks for the code of a device: open verification_uri_complete.");
  }
  return { form, fields: [["user_code", code]] };
}
