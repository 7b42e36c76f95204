/** Items at the same time. */
const AT_ONCE = 10;

/** Does work for all items, some at a time. */
export async function each<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  interrupted: AbortSignal,
): Promise<void> {
  const left = items.values();
  const some = async () => {
    for (const item of left) {
      interrupted.throwIfAborted();
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
}
