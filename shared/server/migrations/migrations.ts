import { documentSnapshotTimes } from './0001-document-snapshot-times.ts';
import { searchWordsOfRows } from './0002-search-words.ts';
import { checkedNames } from './0003-checked-names.ts';
import type { Migration } from './migration.ts';

/** All migrations, in the order in which they run. Add new ones at the end, and never remove one that an installation may lack. */
export const MIGRATIONS: readonly Migration[] = [
  documentSnapshotTimes,
  searchWordsOfRows,
  checkedNames,
];
