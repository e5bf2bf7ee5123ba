/**
 * Gives an object getters, whose `this` is that object. Where many objects of a kind come and go,
 * they share one set: V8 makes the getters of a literal part of a hidden class, and each object
 * that such a getter can reach then lives until the next full collection.
 */
export function withGetters<T extends object, Getters extends object>(
  members: T,
  getters: Getters,
): T & Getters {
  return Object.setPrototypeOf(members, getters);
}
