import { createDeferred } from "../../server/util/time/promises.ts";
import { heldBytes, megabyte } from "../../server/util/values/bounded_map.ts";
import { createExaminationSchedule, type OnForget } from "./examination_schedule.ts";
import type { Exchange } from "./exchange.ts";
import { type RecordedRequest, toRecordedRequest } from "./recorded_request.ts";
import { createRing, type RingLimits } from "./ring.ts";
import { isWithin } from "./tenant_client.ts";

/** Any web page can send requests, and each refused one is recorded, too. */
const limits: RingLimits = { count: 2000, bytes: 128 * megabyte };

/** Selects the requests that match every member. */
export interface ExchangeFilter {
  /** The path below the issuer: `"/oauth2/token"`. */
  path?: string | undefined;
  /** The HTTP method: `"POST"`. */
  method?: string | undefined;
  /** The id of the client that the request names. */
  client?: string | undefined;
  /** The status of the response. */
  status?: number | undefined;
}

/** Selects requests, and how to show them. */
export interface RequestFilter extends ExchangeFilter {
  /** Whether codes, tokens, passwords and other secrets are shown. */
  secrets?: boolean | undefined;
}

/** An exchange that is not recorded yet. */
export type NewExchange = Omit<Exchange, "id" | "span">;

/** Records the requests that reach a lab, with their responses. */
export type Recorder = ReturnType<typeof createRecorder>;

/** An exchange that is there already or still to come. */
export interface ExpectedRequest {
  request: Promise<RecordedRequest>;
  /** Stops expecting it. */
  cancel(): void;
}

interface RequestWaiter {
  filter: RequestFilter;
  /** Whether the exchange is taken, so that no other waiter can take it. */
  takes: boolean;
  resolve(exchange: RecordedRequest): void;
}

/** Whether a client sent a request that tests it: to no route of a test, for one. */
export function isOfClient({ isBesideProtocol = false }: NewExchange): boolean {
  return !isBesideProtocol;
}

/** A drill sends hundreds of requests, which displace none of the developer's own. */
export function isProvoked(exchange: Exchange): boolean {
  return exchange.isProvoked === true;
}

/** Creates a recorder. `beforeEach` is called before each exchange is forgotten. */
export function createRecorder(
  nextId: () => number,
  onForget: OnForget = () => {},
  beforeEach: () => void = () => {},
) {
  let requests = 0;
  let position = 0;
  const schedule = createExaminationSchedule(onForget);
  const exchanges = createRing<Exchange>(limits, (exchange) => {
    beforeEach();
    // What a drill provoked is no finding of a client: nobody examines it.
    if (isProvoked(exchange)) return;
    schedule.beforeForgetting(exchange, () => exchanges.list().filter((each) => !isProvoked(each)));
  }, isProvoked);
  let takenIds = new Set<number>();
  let waiters: RequestWaiter[] = [];

  function deliver(waiter: RequestWaiter, exchange: Exchange): void {
    if (waiter.takes && takenIds.has(exchange.id)) return;
    waiters = waiters.filter((each) => each !== waiter);
    if (waiter.takes) takenIds.add(exchange.id);
    waiter.resolve(show(exchange, waiter.filter));
  }

  function expect(filter: RequestFilter, takes: boolean): ExpectedRequest {
    const { promise, resolve } = createDeferred<RecordedRequest>();
    const waiter: RequestWaiter = { filter, takes, resolve };
    waiters.push(waiter);
    return {
      request: promise,
      cancel: () => void (waiters = waiters.filter((each) => each !== waiter)),
    };
  }

  function include(exchange: Exchange): void {
    exchanges.add(exchange, bytesOf(exchange));
    if (isOfClient(exchange) || exchange.isMcp) requests++;
    const [firstTaken] = takenIds;
    if (firstTaken !== undefined && !exchanges.get(firstTaken)) takenIds.delete(firstTaken);
    for (const waiter of waiters.filter(({ filter }) => matches(exchange, filter))) {
      deliver(waiter, exchange);
    }
  }

  function discard(tenant?: string): void {
    exchanges.clear((each) => isWithin(tenant, each));
    schedule.restart();
    if (tenant === undefined) takenIds = new Set();
  }

  return {
    /**
     * Returns the next position in the order of events, for the begin or the end of an exchange.
     */
    mark: () => position++,
    record(observed: NewExchange, startMark: number, endMark = position++): Exchange {
      const span: Exchange["span"] = [startMark, endMark];
      const exchange: Exchange = Object.assign(observed, { id: nextId(), span });
      include(exchange);
      return exchange;
    },
    /** Adds an exchange that another recorder has. */
    include,
    /** How many requests of clients there were, those that are forgotten included. */
    requests: () => requests,
    /** All exchanges that are not forgotten, the newest last. */
    all: exchanges.list,
    /** The matching exchanges, the newest last. */
    list: (filter: RequestFilter = {}) =>
      exchanges.list().filter((each) => matches(each, filter)).map((each) => show(each, filter)),
    /** Takes the oldest matching exchange that was not taken yet, or the next one to come. */
    take(filter: RequestFilter = {}): ExpectedRequest {
      const found = exchanges.list().find((each) =>
        !takenIds.has(each.id) && matches(each, filter)
      );
      if (!found) return expect(filter, true);
      takenIds.add(found.id);
      return { request: Promise.resolve(show(found, filter)), cancel: () => {} };
    },
    /** The next matching exchange to come, without taking it. */
    next: (filter: RequestFilter) => expect(filter, false),
    /** Forgets everything, or what was of a tenant, as at a reset. */
    clear(tenant?: string): void {
      onForget();
      discard(tenant);
    },
    /** Does the same without `onForget`, because the exchanges shall not count. */
    discard,
  };
}

/** What runtimes need for a parameter, and for a rule, besides their texts, in bytes. */
const ofParameter = 128;
const ofRule = 192;

/**
 * Estimates what an exchange takes, in bytes. Its parameters are in the URL and the body as well,
 * and to list them takes long. The rules are the same for all exchanges; only what came belongs to
 * one.
 */
function bytesOf({ request, response, events, concerns, rules }: Exchange): number {
  const { url, body, headers, query, form } = request;
  let bytes = heldBytes([url, url, body, body, headers, response, events, concerns]) +
    (query.size + form.size) * ofParameter;
  for (const { expected = "", received = "", fix = "" } of rules) {
    bytes += ofRule + 2 * (expected.length + received.length + fix.length);
  }
  return bytes;
}

function show(exchange: Exchange, { secrets = false }: RequestFilter): RecordedRequest {
  return toRecordedRequest(exchange, secrets);
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
