import { type BodyReader, bodyTimeout, lateBody } from "../server/http/received_body.ts";
import { createDeferred } from "../server/util/time/promises.ts";

/** How long bodies may still take once the server closes, in milliseconds. */
const defaultDeadline = 2_000;

/** The body of a request that may still arrive. */
export interface FollowedBody {
  /** Reads the body, until it has arrived or is refused. */
  reader: BodyReader;
  /** Stops following it. Call it once there is a response. */
  forget(): void;
}

interface ArrivingBody {
  /** When it is late, in milliseconds; Infinity until an endpoint reads it. */
  lateAt: number;
  refuse(): void;
}

/** Follows request bodies until they have arrived completely. */
export function createArrivingBodies(deadline = defaultDeadline, limit = bodyTimeout) {
  const arriving = new Set<ArrivingBody>();
  /** Bodies that an endpoint reads. With one limit for all, they are in the order of `lateAt`. */
  const reading = new Set<ArrivingBody>();
  const none = createDeferred<void>();
  let isEnding = false;
  let isOver = false;
  /** One for all bodies: a timer for each is costly on Deno. */
  let timer: ReturnType<typeof setTimeout> | undefined;

  function forget(body: ArrivingBody): void {
    arriving.delete(body);
    reading.delete(body);
    if (!isEnding || arriving.size > 0) return;
    none.resolve();
    stopTimer();
  }

  function stopTimer(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function refuseLate(): void {
    timer = undefined;
    const now = performance.now();
    for (const body of reading) {
      if (body.lateAt > now) {
        timer = setTimeout(refuseLate, body.lateAt - now);
        return;
      }
      reading.delete(body);
      body.refuse();
    }
  }

  /** A refused body is forgotten after its response. */
  function refuseAll(): void {
    isOver = true;
    for (const body of arriving) body.refuse();
  }

  return {
    follow(): FollowedBody {
      // One that nothing reads cannot be refused.
      const body: ArrivingBody = { lateAt: Infinity, refuse: () => forget(body) };
      arriving.add(body);
      return {
        reader: (read) =>
          new Promise((resolve, reject) => {
            body.refuse = () => reject(lateBody());
            body.lateAt = performance.now() + limit;
            reading.add(body);
            timer ??= setTimeout(refuseLate, limit);
            // Otherwise bodies that begin while others are refused would delay the end again and
            // again.
            if (isOver) body.refuse();
            read().then((bytes) => {
              forget(body);
              resolve(bytes);
            }, reject);
          }),
        forget: () => forget(body),
      };
    },
    /** Resolves when every body has arrived. Refuses those that take longer than two seconds. */
    async end(): Promise<void> {
      isEnding = true;
      if (arriving.size === 0) return stopTimer();
      const closing = setTimeout(refuseAll, deadline);
      await none.promise;
      clearTimeout(closing);
    },
  };
}
