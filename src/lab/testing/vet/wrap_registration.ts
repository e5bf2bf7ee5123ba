import { isRegistration, type RegistrationName, type SuiteFunction } from "./registrations.ts";

/** Returns what a runner gets in the place of a callback of the suite. */
export type WrapCallback = (
  name: RegistrationName,
  run: SuiteFunction,
  title: string,
) => SuiteFunction;

/** Where a function of a runner is found. */
interface RegisteringMethod {
  /** What it registers: `test.only` a test, and `test.beforeEach` a hook. */
  name: RegistrationName;
  /** The object that it is a method of. */
  owner: object;
}

/**
 * Wraps a function of a runner that takes callbacks of a suite, such as `test`, with all that hangs
 * on it: `test.only`, `test.each([…])`, `test.extend({…})`. Everything else is passed on.
 */
export function wrapRegistration<F extends SuiteFunction>(
  register: F,
  { name, owner }: RegisteringMethod,
  wrap: WrapCallback,
): F {
  return new Proxy(register, {
    apply(target, _self, args) {
      // With the runner's own object as `this`, it calls nothing that is wrapped itself.
      const result: unknown = Reflect.apply(target, owner, wrapArguments(args, name, wrap));
      return isFunction(result) ? wrapRegistration(result, { name, owner }, wrap) : result;
    },
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (!isFunction(value) || key in Function.prototype) return value;
      const inner = isRegistration(key) ? key : name;
      return wrapRegistration(value, { name: inner, owner: target }, wrap);
    },
  });
}

/** The callback is an argument, or the member `fn` of one, as in Deno. */
function wrapArguments(
  args: readonly unknown[],
  name: RegistrationName,
  wrap: WrapCallback,
): unknown[] {
  const title = args.find((arg) => typeof arg === "string");
  const wrapOne = (run: SuiteFunction, ownTitle: string) =>
    likeOriginal(run, wrap(name, run, title ?? ownTitle));
  return args.map((arg) => {
    if (isFunction(arg)) return wrapOne(arg, arg.name);
    if (!hasCallback(arg)) return arg;
    const ownTitle = arg.name ?? arg.fn.name;
    return { ...arg, name: ownTitle, fn: wrapOne(arg.fn, ownTitle) };
  });
}

function isFunction(value: unknown): value is SuiteFunction {
  return typeof value === "function";
}

function hasCallback(value: unknown): value is { name?: string; fn: SuiteFunction } {
  return typeof value === "object" && value !== null && "fn" in value && isFunction(value.fn);
}

/** Runners read from a callback which arguments it takes, and some its name. */
function likeOriginal(run: SuiteFunction, wrapper: SuiteFunction): SuiteFunction {
  Object.defineProperty(wrapper, "length", { value: run.length });
  Object.defineProperty(wrapper, "name", { value: run.name });
  return Object.defineProperty(wrapper, "toString", { value: () => run.toString() });
}
