/**
 * Merges concurrent calls into one round trip: while one is running, new calls wait and then go together.
 * @param run handles all waiting items in order; every call gets its result, or its error
 */
export function batchCalls<T, R>(run: (items: T[]) => Promise<R>): (item: T) => Promise<R> {
  let waiting: { items: T[]; done: Promise<R> } | null = null;
  let running: Promise<unknown> = Promise.resolve();

  return (item) => {
    if (!waiting) {
      const items: T[] = [];
      const start = () => {
        waiting = null;
        return run(items);
      };
      const done = running.then(start, start);
      running = done.catch(() => {});
      waiting = { items, done };
    }
    waiting.items.push(item);
    return waiting.done;
  };
}
