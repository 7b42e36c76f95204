const MOST = 99;

const capped = (count: number) => (count > MOST ? `${MOST}+` : String(count));
const counted = (count: number, what: string) =>
  count > 0 ? [`${capped(count)} ${what}${count === 1 ? '' : 's'}`] : [];

/** How much waits for the owner. */
export interface Waiting {
  /** Messages to be read. */
  unread?: number;
  /** Friend requests to be answered. */
  requests?: number;
}

/** How much that is, as a badge shows it and as it is read out; null when nothing waits. */
export function waitingWords({ unread = 0, requests = 0 }: Waiting): [string, string] | null {
  const sum = unread + requests;
  if (sum === 0) return null;
  return [
    capped(sum),
    [...counted(unread, 'unread message'), ...counted(requests, 'friend request')].join(', '),
  ];
}
