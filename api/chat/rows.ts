/** `threads`: where the messages of two people are. Friends have one; a block ends it, and new friends begin another. */
export interface ThreadRow {
  _id: string;
  /** `pairId` of the two. */
  pair: string;
  users: [string, string];
  /** Closed while they are no friends; gone for good after a block, kept for a while so that nothing comes back. */
  state: 'open' | 'closed' | 'gone';
  /** Whether it is not gone: two people have one such at most. */
  is_live: boolean;
  /** Oldest first, at least one. */
  parts: PartRow[];
  /** One more by each change of the parts. */
  revision: number;
  /** Whether documents, rights and circles are as this says. */
  is_settled: boolean;
  /** Whether circles may show it as open. */
  is_shown: boolean;
  changed_at: Date;
  /** Documents that are about to take the place of others, or just did, see `withdraw`; what has no place goes with the thread, too. */
  successions?: { old: string; fresh: string }[];
  /** What circles say, by user: see `noteWaiting`. Not there where nothing ever waited. */
  waiting?: Record<string, number[]>;
}

/** Both's parts of one number, which is its place, counted from 1. */
export interface PartRow {
  /** Document ids by author. */
  documents: Record<string, string>;
  /** The highest `seq` of the parts before. */
  after: number;
  /** Whether the documents were made. */
  is_made: boolean;
}
