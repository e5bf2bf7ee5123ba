import type { Exchange } from "./exchange.ts";
import { type RecordedRequest, toRecordedRequest } from "./recorded_request.ts";

/** Which exchanges are meant. */
export interface ExchangeFilter {
  /** Below the issuer: "/oauth2/token". */
  path?: string;
  method?: string;
  client?: string;
  status?: number;
}

/** Which exchanges are meant, and how they are shown. */
export interface RequestFilter extends ExchangeFilter {
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
  list(wish?: RequestFilter): RecordedRequest[];
  /** The next one that nobody has taken yet; one that is still to come where none is there. */
  take(wish?: RequestFilter): ExpectedRequest;
  /** The next one to come, taken or not; `forget` gives up on it. */
  next(wish: RequestFilter): ExpectedRequest;
  /** Forgets everything. */
  clear(): void;
}

/** An exchange that may be there, or still to come; `forget` gives up on it. */
export interface ExpectedRequest {
  request: Promise<RecordedRequest>;
  forget(): void;
}

/** Somebody who waits for an exchange, and may want it for nobody else. */
interface RequestWaiter {
  filter: RequestFilter;
  takes: boolean;
  tell(exchange: RecordedRequest): void;
}

/** Older ones are forgotten. */
const maxExchanges = 2000;

export function createRecorder(): Recorder {
  let next = 1;
  let place = 0;
  let kept: Exchange[] = [];
  let taken = new Set<number>();
  let waiting: RequestWaiter[] = [];

  function tell(waiter: RequestWaiter, exchange: Exchange): void {
    if (waiter.takes && taken.has(exchange.id)) return;
    waiting = waiting.filter((each) => each !== waiter);
    if (waiter.takes) taken.add(exchange.id);
    waiter.tell(toRecordedRequest(exchange, waiter.filter.secrets ?? false));
  }

  function wait(filter: RequestFilter, takes: boolean): ExpectedRequest {
    let waiter: RequestWaiter | undefined;
    const coming = new Promise<RecordedRequest>((tell) =>
      waiting.push(waiter = { filter, takes, tell })
    );
    return {
      request: coming,
      forget: () => void (waiting = waiting.filter((each) => each !== waiter)),
    };
  }

  const take = (exchange: Exchange, wish: RequestFilter) => {
    taken.add(exchange.id);
    return toRecordedRequest(exchange, wish.secrets ?? false);
  };

  return {
    mark: () => place++,
    record(observed, began, ended = place++) {
      const exchange: Exchange = { ...observed, id: next++, span: [began, ended] };
      kept.push(exchange);
      if (kept.length > maxExchanges) taken.delete(kept.shift()!.id);
      for (const waiter of waiting.filter(({ filter }) => matches(exchange, filter))) {
        tell(waiter, exchange);
      }
      return exchange;
    },
    all: () => kept,
    list: (wish = {}) =>
      kept.filter((exchange) => matches(exchange, wish)).map((exchange) =>
        toRecordedRequest(exchange, wish.secrets ?? false)
      ),
    take: (wish = {}) => {
      const present = kept.find((exchange) => !taken.has(exchange.id) && matches(exchange, wish));
      return present
        ? { request: Promise.resolve(take(present, wish)), forget: () => {} }
        : wait(wish, true);
    },
    next: (wish) => wait(wish, false),
    clear: () => {
      kept = [];
      taken = new Set();
    },
  };
}

function matches(
  { request, response }: Exchange,
  { path, method, client, status }: ExchangeFilter,
): boolean {
  if (path !== undefined && request.path !== path) return false;
  if (method !== undefined && request.method !== method) return false;
  if (client !== undefined && request.client !== client) return false;
  return status === undefined || response?.status === status;
}
