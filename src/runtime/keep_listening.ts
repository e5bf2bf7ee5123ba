/** A socket that accepts connections, together with those that it has accepted. */
export interface Listener {
  port: number;
  /** Rejects when no connection can be accepted any more; those that are open go on. */
  finished: Promise<void>;
  /** Finishes the requests in progress, then ends every connection. */
  stop(): Promise<void>;
}

/** A listener that does not fail. */
export type KeptListener = Omit<Listener, "finished">;

/** How long to wait before listening again, in milliseconds. */
const pause = 100;

/**
 * Listens again when a connection could not be accepted: Deno then gives up listening for good, and
 * anybody can bring that about by using up the file descriptors of the process. The old listener
 * finishes the requests in progress, then ends its connections, which makes room.
 */
export function keepListening(listen: (port: number) => Listener, port: number): KeptListener {
  const open = new Set<Listener>();
  const stopping = new Set<Promise<void>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  function start(port: number): Listener {
    const listener = listen(port);
    open.add(listener);
    listener.finished.catch(() => isStopped || startLater(listener.port, listener));
    return listener;
  }

  function startLater(port: number, failed?: Listener): void {
    timer = setTimeout(() => {
      if (failed) retire(failed);
      try {
        start(port);
      } catch {
        startLater(port);
      }
    }, pause);
  }

  function retire(listener: Listener): void {
    open.delete(listener);
    const stopped = listener.stop().finally(() => stopping.delete(stopped));
    stopping.add(stopped);
  }

  return {
    port: start(port).port,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      open.forEach(retire);
      await Promise.all(stopping);
    },
  };
}
