/** Waits that end with the lab at the latest. */
export interface Waiting {
  /** Without end, where it is told to wait infinitely long. */
  wait(milliseconds: number): Promise<void>;
  close(): void;
}

export function createWaiting(): Waiting {
  const ends = new Set<() => void>();
  return {
    wait: (milliseconds) =>
      new Promise((resolve) => {
        const timer = Number.isFinite(milliseconds) ? setTimeout(end, milliseconds) : undefined;
        function end(): void {
          clearTimeout(timer);
          ends.delete(end);
          resolve();
        }
        ends.add(end);
      }),
    close: () => {
      for (const end of [...ends]) end();
    },
  };
}
