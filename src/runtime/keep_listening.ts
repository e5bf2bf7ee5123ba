/** How long to wait before listening again, in milliseconds. */
const restartPause = 100;

/** A listening socket and the connections that it accepted. */
export interface Listener {
  port: number;
  /** Rejects when no connection can be accepted anymore. Open connections continue. */
  finished: Promise<void>;
  /** Finishes the requests in progress, then closes every connection. */
  stop(): Promise<void>;
}

/** A listener that restarts after a failure. */
export type LastingListener = Omit<Listener, "finished">;

/**
 * Listens again after a failure to accept a connection. Deno would stop listening permanently, and
 * anyone can cause the failure by using up the file descriptors of the process. The old listener
 * finishes its requests and closes its connections, which frees descriptors.
 */
export function keepListening(listen: (port: number) => Listener, port: number): LastingListener {
  const open = new Set<Listener>();
  const stopping = new Set<Promise<void>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  function start(port: number): Listener {
    const listener = listen(port);
    open.add(listener);
    listener.finished.catch(() => isStopped || restartLater(listener.port, listener));
    return listener;
  }

  function restartLater(port: number, failed?: Listener): void {
    timer = setTimeout(() => {
      if (failed) retire(failed);
      try {
        start(port);
      } catch {
        restartLater(port);
      }
    }, restartPause);
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
