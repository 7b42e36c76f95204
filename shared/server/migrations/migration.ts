import type { Db } from 'mongodb';

/** Changes existing rows into their current shape. Decision 352 says what it may do. */
export interface Migration {
  /** Unique, and never changed: the database remembers it. */
  name: string;
  /**
   * Changes the rows that are not in the new shape yet. It may be interrupted at any point, and is repeated then.
   * @param proceed called after each batch; throws when this node must stop
   */
  run(db: Db, proceed: () => void): Promise<void>;
}
