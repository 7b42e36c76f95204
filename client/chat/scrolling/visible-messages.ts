import type { ShownMessage } from '../types.ts';

const rowOf = (message: ShownMessage | undefined) => document.getElementById(message?.id ?? '');
const endOf = (row: HTMLElement) => row.offsetTop + row.offsetHeight;

/** Which of these is the first of which something is to be seen; its row in the list, too, null where it is not drawn. */
export function firstInView(list: HTMLElement, messages: readonly ShownMessage[]) {
  let low = 0;
  let high = messages.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = rowOf(messages[middle]);
    if (row && endOf(row) > list.scrollTop) high = middle;
    else low = middle + 1;
  }
  return { at: low, row: rowOf(messages[low]) };
}

/** Those whose end is on the screen: a long one has been seen once it was scrolled through. */
export function seenIn(list: HTMLElement, messages: readonly ShownMessage[]): ShownMessage[] {
  // Sizes on the screen are fractions, these are rounded.
  const lowerEdge = list.scrollTop + list.clientHeight + 1;
  const from = firstInView(list, messages).at;
  const seen: ShownMessage[] = [];
  for (const message of messages.slice(from)) {
    const row = rowOf(message);
    if (!row || endOf(row) > lowerEdge) break;
    seen.push(message);
  }
  return seen;
}
