import type { Tab } from "../../support/chromium.ts";
import { ada } from "../harness/program_server.ts";

/** How long a page of the server may stay without a form to press, and any other, in milliseconds. */
const limits = { server: 5_000, all: 90_000 };

/**
 * Presses what a person presses on a page of the server: signs in, allows, signs out. It runs in the
 * page, and presses once.
 */
const pressAtServer = (signsIn: boolean) =>
  `(() => {
  const find = (selector) => document.querySelector(selector);
  if (document.readyState !== "complete") return "loading";
  if (window.pressed) return find("#sign-in-failed")?.textContent ?? "pressed";
  const press = (selector) => {
    const button = find(selector);
    if (!button) return false;
    if (button.matches(":disabled, [aria-disabled=true]")) return true;
    window.pressed = true;
    button.click();
    return true;
  };
  if (find("input#password")) {
    if (!${signsIn}) return "done";
    if (press("#passkey-sign-in-button:not([hidden])")) return "pressed";
    find("#username").value = ${JSON.stringify(ada.name)};
    find("#password").value = ${JSON.stringify(ada.password)};
    return press("#sign-in-button") && "pressed";
  }
  return press("#allow") || press("#sign-out-button") ? "pressed" : "waiting";
})()`;

/** Thrown where the server shows a page on which there is nothing to press. */
export class StoppedAtServer extends Error {}

/** What a person wants. */
interface Aim {
  /** A button of the application. */
  press?: string | undefined;
  /** What is true in a page of the application at the end; by default, that it comes after ours. */
  until?: string;
  /** Whether she signs in where she is asked to, which is an end of a sign-out. */
  signsIn?: boolean;
}

/** Goes on as a person does, at the server and in the application. */
export async function goOn(
  tab: Tab,
  issuer: string,
  { press, until, signsIn = true }: Aim,
): Promise<void> {
  let wasAtServer = false;
  // A page may be empty at first: to sign out, she presses.
  let mayBeDone = signsIn || press === undefined;
  const end = performance.now() + limits.all;
  let waitingSince: number | undefined;
  while (performance.now() < end) {
    const url = await tab.url().catch(() => "");
    const isAtServer = url.startsWith(issuer);
    wasAtServer ||= isAtServer;
    const state = await tab.evaluate(
      isAtServer
        ? pressAtServer(signsIn)
        : applicationStep(press, mayBeDone ? until ?? String(wasAtServer) : "false"),
    )
      // Another page is on its way.
      .catch(() => "loading");
    if (state === "done") return;
    mayBeDone ||= !isAtServer && state === "pressed";
    waitingSince = isAtServer && state === "waiting"
      ? waitingSince ?? performance.now()
      : undefined;
    if (performance.now() - (waitingSince ?? Infinity) > limits.server) {
      throw new StoppedAtServer(await textOf(tab));
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${await tab.url()} shows: ${await textOf(tab)}`);
}

/** Presses a button of an application once, unless its page is what was to come. */
function applicationStep(press: string | undefined, until: string): string {
  return `(() => {
    if (document.readyState === "complete" && (${until})) return "done";
    const button = ${press ? `document.querySelector(${JSON.stringify(press)})` : "undefined"};
    if (!button || window.pressed) return "waiting";
    window.pressed = true;
    button.click();
    return "pressed";
  })()`;
}

/** Returns what a page shows, in one line. */
export async function textOf(tab: Tab): Promise<string> {
  const text = await tab.evaluate<string>("document.body.innerText").catch(() => "");
  return text.replaceAll(/\s+/g, " ").slice(0, 300);
}

/** Whether the page has a text, also in its scripts and in what a form holds. */
export function has(text: RegExp): string {
  return `${text}.test(document.documentElement.outerHTML)`;
}
