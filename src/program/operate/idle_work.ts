import type { Context } from "../../server/issuer/context.ts";
import { second } from "../../server/util/time/duration.ts";

/** The time between two looks for work that is due, in milliseconds. */
const pause = 10 * second * 1000;

/** Repeats an action until the returned function is called. */
export type Repeat = (act: () => void, pause: number) => () => void;

/**
 * Starts the background work of a server that gets no requests, such as a logout token that has to
 * be sent again. Returns a function that ends this.
 */
export function workWhenIdle(contextOf: () => Context, repeat: Repeat = repeatInRealTime) {
  return repeat(() => contextOf().maintain(), pause);
}

const repeatInRealTime: Repeat = (act, pause) => {
  const timer = setInterval(act, pause);
  return () => clearInterval(timer);
};
