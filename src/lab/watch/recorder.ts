import type { Exchange } from "./exchange.ts";
import type { Recorded } from "./shown.ts";
import { show } from "./shown.ts";

/** Which exchanges are meant. */
export interface ExchangeFilter {
  /** Below the issuer: "/oauth2/token". */
  path?: string;
  method?: string;
  client?: string;
  status?: number;
}

/** Which exchanges are meant, and how they are shown. */
export interface Wish extends ExchangeFilter {
  /** Whether secrets are shown as they came. Default: false. */
  secrets?: boolean;
}

/** Keeps what went over the wire. */
export interface Recorder {
  record(exchange: Omit<Exchange, "id" | "span">, began: number, ended?: number): Exchange;
  /** Marks the place at which an exchange begins, or its client gives it up. */
  mark(): number;
  /** Everything that is kept, the newest last. */
  all(): readonly Exchange[];
  /** Those that are meant, the newest last. */
  list(wish?: Wish): Recorded[];
  /** The next one that nobody has taken yet; one that is still to come where none is there. */
  take(wish?: Wish): Coming;
  /** The next one to come, taken or not; `forget` gives up on it. */
  next(wish: Wish): Coming;
  /** Forgets everything. */
  clear(): void;
}

/** An exchange that may be there, or still to come; `forget` gives up on it. */
export interface Coming {
  coming: Promise<Recorded>;
  forget(): void;
}

/** Somebody who waits for an exchange, and may want it for nobody else. */
interface Waiter {
  wish: Wish;
  takes: boolean;
  tell(exchange: Recorded): void;
}

/** Older ones are forgotten. */
const most = 2000;

export function createRecorder(): Recorder {
  let next = 1;
  let place = 0;
  let kept: Exchange[] = [];
  let taken = new Set<number>();
  let waiting: Waiter[] = [];

  function tell(waiter: Waiter, exchange: Exchange): void {
    if (waiter.takes && taken.has(exchange.id)) return;
    waiting = waiting.filter((each) => each !== waiter);
    if (waiter.takes) taken.add(exchange.id);
    waiter.tell(show(exchange, waiter.wish.secrets ?? false));
  }

  function wait(wish: Wish, takes: boolean): Coming {
    let waiter: Waiter | undefined;
    const coming = new Promise<Recorded>((tell) => waiting.push(waiter = { wish, takes, tell }));
    return { coming, forget: () => void (waiting = waiting.filter((each) => each !== waiter)) };
  }

  const take = (exchange: Exchange, wish: Wish) => {
    taken.add(exchange.id);
    return show(exchange, wish.secrets ?? false);
  };

  return {
    mark: () => place++,
    record(observed, began, ended = place++) {
      const exchange: Exchange = { ...observed, id: next++, span: [began, ended] };
      kept.push(exchange);
      if (kept.length > most) taken.delete(kept.shift()!.id);
      for (const waiter of waiting.filter(({ wish }) => matches(exchange, wish))) tell(waiter, exchange);
      return exchange;
    },
    all: () => kept,
    list: (wish = {}) => kept.filter((exchange) => matches(exchange, wish)).map((exchange) => show(exchange, wish.secrets ?? false)),
    take: (wish = {}) => {
      const present = kept.find((exchange) => !taken.has(exchange.id) && matches(exchange, wish));
      return present ? { coming: Promise.resolve(take(present, wish)), forget: () => {} } : wait(wish, true);
    },
    next: (wish) => wait(wish, false),
    clear: () => {
      kept = [];
      taken = new Set();
    },
  };
}

function matches({ asked, answered }: Exchange, { path, method, client, status }: ExchangeFilter): boolean {
  if (path !== undefined && asked.path !== path) return false;
  if (method !== undefined && asked.method !== method) return false;
  if (client !== undefined && asked.client !== client) return false;
  return status === undefined || answered?.status === status;
}
