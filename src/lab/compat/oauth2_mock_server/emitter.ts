import { EventEmitter } from "node:events";

/** A function that is called with an event, by its name. */
export type Listeners = Readonly<Record<string, (...values: never[]) => void>>;

/** The part of Node's event emitter that suites use, with the types of the events. */
export interface Emitter<Events extends Listeners> {
  /** Calls a listener for every event of a name. */
  on<Name extends keyof Events & string>(event: Name, listener: Events[Name]): this;
  /** Calls a listener for every event of a name. */
  on(event: string, listener: (...values: never[]) => void): this;
  /** Calls a listener for the next event of a name. */
  once<Name extends keyof Events & string>(event: Name, listener: Events[Name]): this;
  /** Calls a listener for the next event of a name. */
  once(event: string, listener: (...values: never[]) => void): this;
  /** Calls a listener for every event of a name. */
  addListener(event: string, listener: (...values: never[]) => void): this;
  /** Removes a listener. */
  off(event: string, listener: (...values: never[]) => void): this;
  /** Removes a listener. */
  removeListener(event: string, listener: (...values: never[]) => void): this;
  /** Removes the listeners of a name, or all. */
  removeAllListeners(event?: string): this;
  /** Calls the listeners of a name; returns whether there is one. */
  emit(event: string, ...values: unknown[]): boolean;
  /** Returns how many listeners a name has. */
  listenerCount(event: string): number;
}

/** Node's event emitter, as a class that knows its events. Its types need no package. */
export function emitterFor<Events extends Listeners>(): new () => Emitter<Events> {
  return EventEmitter as unknown as new () => Emitter<Events>;
}
