import { type BodyReader, lateBody } from "../server/http/received_body.ts";
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

/** A body that is arriving. `refuse` is set while an endpoint reads it. */
interface ArrivingBody {
  refuse?(): void;
}

/** Follows request bodies until they have arrived completely. */
export function createArrivingBodies(deadline = defaultDeadline) {
  const arriving = new Set<ArrivingBody>();
  const none = createDeferred<void>();
  let isEnding = false;
  let isOver = false;

  function forget(body: ArrivingBody): void {
    arriving.delete(body);
    if (isEnding && arriving.size === 0) none.resolve();
  }

  /** A refused body is forgotten after its response. One that nothing reads cannot be refused. */
  function refuseAll(): void {
    isOver = true;
    for (const body of arriving) {
      if (body.refuse) body.refuse();
      else forget(body);
    }
  }

  return {
    /** Follows the body of a request. */
    follow(): FollowedBody {
      const body: ArrivingBody = {};
      arriving.add(body);
      return {
        reader: (read) =>
          new Promise((resolve, reject) => {
            body.refuse = () => reject(lateBody());
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
      if (arriving.size === 0) return;
      const timer = setTimeout(refuseAll, deadline);
      await none.promise;
      clearTimeout(timer);
    },
  };
}
