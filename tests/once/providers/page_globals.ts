/** What libraries for browsers use of a page, and no runtime of a server has. */
interface Page {
  location: { href: string; origin: string; assign(url: string): void; replace(url: string): void };
}

/** Makes the globals of a page, at a URL, and returns what ends this. */
export function openPage(href: string): Page & Disposable {
  const went: string[] = [];
  const location = {
    href,
    origin: new URL(href).origin,
    assign: (url: string) => void went.push(url),
    replace: (url: string) => void went.push(url),
  };
  const history = { state: null, replaceState: () => {} };
  const document = { cookie: "", createElement: () => ({}), addEventListener() {} };
  const page = { location, history, isSecureContext: true, addEventListener() {} };
  const before = ["window", "document", "location", "history"]
    .map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  const window = Object.assign(Object.create(globalThis), page);
  for (const [name, value] of Object.entries({ window, document, location, history })) {
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
