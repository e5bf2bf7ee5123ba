/** Returns what runs a function as soon as fewer than `count` others run. */
export function createSlots(count: number): <T>(act: () => Promise<T>) => Promise<T> {
  const waiting: Array<() => void> = [];
  let free = count;
  return async (act) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
