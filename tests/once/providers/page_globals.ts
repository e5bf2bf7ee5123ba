/** A page that is open in this process. */
interface OpenPage extends Disposable {
  location: { href: string; origin: string };
}

/** Makes the globals of a page, which libraries for browsers use and no runtime of a server has. */
export function openPage(href: string): OpenPage {
  const location = { href, origin: new URL(href).origin };
  const document = {
    cookie: "",
    createElement: () => ({}),
    querySelector: () => null,
    querySelectorAll: () => [],
    getElementById: () => null,
    addEventListener() {},
  };
  const page = {
    location,
    document,
    history: { state: null, replaceState() {} },
    localStorage: memoryStorage(),
    sessionStorage: memoryStorage(),
    isSecureContext: true,
    addEventListener() {},
    removeEventListener() {},
  };
  const globals = { ...page, window: Object.assign(Object.create(globalThis), page) };
  const before = Object.keys(globals)
    .map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return {
    location,
    [Symbol.dispose]() {
      for (const [name, descriptor] of before) {
        if (descriptor) Object.defineProperty(globalThis, name, descriptor);
        else delete (globalThis as Record<string, unknown>)[name];
      }
    },
  };
}

/** The storage of the runtime would keep its items on this machine. */
function memoryStorage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    key: (at) => [...items.keys()][at] ?? null,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  };
}
