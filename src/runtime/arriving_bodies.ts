import { bodyTooSlow, withBodyReader } from "../http/body.ts";
import { createDeferred } from "../util/promises.ts";

/** How long bodies may still take once the server closes, in milliseconds. */
const defaultDeadline = 2_000;

/** The bodies of requests that have not arrived completely. */
export interface ArrivingBodies {
  /** Follows the body of a request. Call the returned function when there is a response. */
  follow(request: Request): () => void;
  /** Resolves when no body is arriving. Refuses those that have not arrived after two seconds. */
  end(): Promise<void>;
}

/** A body that is arriving, and what refuses it while an endpoint reads it. */
interface ArrivingBody {
  refuse?(): void;
}

export function createArrivingBodies(deadline: number = defaultDeadline): ArrivingBodies {
  const arriving = new Set<ArrivingBody>();
  const none = createDeferred<void>();
  let isEnding = false;
  let isOver = false;

  function forget(body: ArrivingBody): void {
    arriving.delete(body);
    if (isEnding && arriving.size === 0) none.resolve();
  }

  /** A request that was refused gets its response first. Of others, we cannot know what they do. */
  function refuseAll(): void {
    isOver = true;
    for (const body of arriving) {
      if (body.refuse) body.refuse();
      else forget(body);
    }
  }

  return {
    follow(request) {
      const body: ArrivingBody = {};
      arriving.add(body);
      withBodyReader(request, async (read) => {
        const { promise: refused, reject } = createDeferred<never>();
        body.refuse = () => reject(bodyTooSlow());
        // Otherwise those that begin while others are refused would follow one another for long.
        if (isOver) body.refuse();
        const bytes = await Promise.race([read(), refused]);
        forget(body);
        return bytes;
      });
      return () => forget(body);
    },
    async end() {
      isEnding = true;
      if (arriving.size === 0) return;
      const timer = setTimeout(refuseAll, deadline);
      await none.promise;
      clearTimeout(timer);
    },
  };
}
