/**
 * Makes one round trip of many: while one is under way, what comes waits, and then goes together.
 * @param run takes all that waited, in order; its answer, or its failure, is everybody's
 */
export function coalesce<T, R>(run: (items: T[]) => Promise<R>): (item: T) => Promise<R> {
  interface Batch {
    items: T[];
    done: Promise<R>;
  }
  let waiting: Batch | null = null;
  let underWay: Promise<unknown> = Promise.resolve();

  function open(): Batch {
    const items: T[] = [];
    const start = () => {
      waiting = null;
      return run(items);
    };
    const done = underWay.then(start, start);
    underWay = done.catch(() => {});
    return { items, done };
  }

  return (item) => {
    waiting ??= open();
    waiting.items.push(item);
    return waiting.done;
  };
}
