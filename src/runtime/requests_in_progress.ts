/** Counts the requests that are not answered to the end yet, so that closing can wait for them. */
export interface RequestsInProgress {
  /** Counts a request; the function that it returns counts it as done. */
  begin(): () => void;
  /** Resolves as soon as no request is in progress. */
  none(): Promise<void>;
}

export function countRequests(): RequestsInProgress {
  let count = 0;
  let waiting: Array<() => void> = [];

  function end(): void {
    count--;
    if (count > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  return {
    begin() {
      count++;
      return end;
    },
    async none() {
      if (count > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
